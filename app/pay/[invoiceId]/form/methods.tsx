import type { Translator } from '#server/i18n/translator.ts';
import type { LoadedInvoice } from '../loader.ts';

type AccountMethod = Extract<LoadedInvoice['methods'][number], { kind: 'account' }>;

/** The acquirer's initial: nobody's picture is fetched or copied. Decoration beside the name. */
function MethodMark({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center rounded-lg bg-accent-soft font-semibold text-accent text-lg"
    >
      {[...name][0]}
    </span>
  );
}

/**
 * The acquirers to which the buyer can go, each a form of its own that works without script: the answer
 * leads to the acquirer.
 */
export function Methods({
  invoiceId,
  methods,
  t,
}: {
  invoiceId: string;
  methods: readonly AccountMethod[];
  t: Translator<'pay'>;
}) {
  return (
    <ul className="space-y-3">
      {methods.map(({ id, name, provider }) => (
        <li key={id}>
          <form method="post" action={`/pay/${invoiceId}/start`} data-method={id}>
            <input type="hidden" name="method" value={id} />
            <button
              type="submit"
              className="flex min-h-14 w-full items-center gap-4 rounded-xl border border-line bg-surface px-4 py-3 text-left transition-colors hover:border-accent hover:bg-accent-soft focus-visible:border-accent"
            >
              <MethodMark name={name} />
              <span className="min-w-0 flex-1">
                <span className="wrap-anywhere block font-semibold">
                  {t('methods.payWith', { method: name })}
                </span>
                <span className="block text-muted text-sm">{hintOf(provider, name, t)}</span>
              </span>
              <span aria-hidden="true" className="text-muted text-xl">
                ›
              </span>
            </button>
          </form>
        </li>
      ))}
    </ul>
  );
}

function hintOf(provider: string, name: string, t: Translator<'pay'>): string {
  switch (provider) {
    case 'payme':
    case 'click':
    case 'multicard':
      return t(`methods.kinds.${provider}`);
    default:
      return t('methods.elsewhere', { method: name });
  }
}
