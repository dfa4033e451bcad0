import { isolated } from '#app/_i18n/isolated.ts';
import { PageLink } from '#app/_ui/page-link.tsx';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { ApiRequestItem } from '#server/trpc/rows.ts';
import { errorHref } from '../../../../docs/_content/errors.ts';
import { Instant } from '../../../_shared/instant.tsx';
import { millisecondsText } from '../../../_shared/milliseconds.ts';
import { Unfold } from '../../../_shared/unfold.tsx';

const FIRST_FAILURE = 400;
const FIRST_OF_OURS = 500;
// An invoice that does not exist has no page to link to.
const NOT_FOUND = 404;

function tone(status: number): string {
  if (status < FIRST_FAILURE) return 'bg-positive-soft text-positive';
  return status < FIRST_OF_OURS ? 'bg-caution-soft text-caution' : 'bg-negative-soft text-negative';
}

/** `body.positions[0].amount`: the place of a fault, as a program writes it. */
function pathOf(loc: (string | number)[]): string {
  return loc
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join('');
}

/** This many faults are enough to show: each of many positions can be wrong. */
const SHOWN_FAULTS = 5;

/** The status of an answer, and the reader's language. */
type Said = { status: number; locale: Locale };

/** The API's message, with a link to its explanation in the documentation. */
function Message({ status, text, type, locale }: Said & { text: string; type?: string }) {
  const href = errorHref(status, text, type);
  return href ? (
    <a href={docsAddress(href, locale)} className="link">
      {text}
    </a>
  ) : (
    text
  );
}

function Faults({ status, faults, locale }: Said & Pick<ApiRequestItem, 'faults'>) {
  return (
    <ul className="grid gap-0.5 text-[0.9375rem]">
      {faults.map(({ loc, msg, type }) => (
        <li key={`${pathOf(loc)} ${type}`} className="[overflow-wrap:anywhere]">
          <code className="font-mono font-semibold text-sm">{pathOf(loc)}</code>{' '}
          <Message {...{ status, locale, type }} text={msg} />{' '}
          <span className="text-muted text-sm">({type})</span>
        </li>
      ))}
    </ul>
  );
}

function Failure({ locale, request }: { locale: Locale; request: ApiRequestItem }) {
  const t = translatorOf(locale, 'dashboard.developers');
  const { status, faults, message } = request;
  if (faults.length === 0) {
    if (!message) return null;
    return (
      <p className="text-[0.9375rem]">
        <Message {...{ status, locale }} text={message} />
      </p>
    );
  }
  // One more line is as quick to read as the words that would fold it.
  const shown = faults.length === SHOWN_FAULTS + 1 ? faults.length : SHOWN_FAULTS;
  const others = faults.slice(shown);
  return (
    <>
      <Faults {...{ status, locale }} faults={faults.slice(0, shown)} />
      {others.length > 0 && (
        <details>
          <Unfold>{t('moreFaults', { count: others.length })}</Unfold>
          <Faults {...{ status, locale }} faults={others} />
        </details>
      )}
    </>
  );
}

function Names({
  locale,
  request,
  base,
}: {
  locale: Locale;
  request: ApiRequestItem;
  base: string;
}) {
  const t = translatorOf(locale, 'dashboard.developers');
  const mono = (text: string) => <span className="font-mono text-xs">{text}</span>;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-sm [overflow-wrap:anywhere] @max-2xl:grid">
      <span>
        {t('requestId')} {mono(request.requestId)}
      </span>
      {request.invoiceId && (
        <span>
          {t('invoice')}{' '}
          {request.status === NOT_FOUND ? (
            mono(request.invoiceId)
          ) : (
            <PageLink
              href={`${base}/invoices/${encodeURIComponent(request.invoiceId)}`}
              className="link font-mono text-xs"
            >
              {request.invoiceId}
            </PageLink>
          )}
        </span>
      )}
      {request.merchantTransactionId && (
        <span>
          {t('transaction')} {mono(request.merchantTransactionId)}
        </span>
      )}
      {request.tokenName && <span>{t('token', { name: isolated(request.tokenName) })}</span>}
    </p>
  );
}

/** The path; with little room, without the part that all requests of the environment share. */
function Path({ path }: { path: string }) {
  const [start = ''] = /^\/api\/[^/]+(?=\/)/.exec(path) ?? [];
  return (
    <>
      <span className="@max-2xl:hidden">{start}</span>
      {path.slice(start.length)}
    </>
  );
}

/** One request to the API: its content, its outcome, and why it failed. */
export function RequestItem({
  request,
  locale,
  timeZone,
  base,
}: {
  request: ApiRequestItem;
  locale: Locale;
  timeZone: string;
  base: string;
}) {
  const t = translatorOf(locale, 'dashboard.developers');
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 @max-[12rem]:flex @max-[12rem]:flex-col @max-[12rem]:items-start @max-[12rem]:px-2 @2xl:grid-cols-[auto_minmax(0,auto)_1fr_auto]">
      <span
        className={`rounded-md px-2 py-0.5 font-medium text-sm tabular-nums ${tone(request.status)}`}
      >
        {request.status}
      </span>
      <code className="min-w-0 font-mono text-sm [overflow-wrap:anywhere]">
        {request.method} <Path path={request.path} />
      </code>
      <span className="whitespace-nowrap text-muted text-sm tabular-nums">
        {millisecondsText(request.durationMs, locale)}
      </span>
      {/* With little room, it stands on the fold's line, or above it. */}
      <span className="text-muted text-sm @max-2xl:col-span-2 @max-2xl:col-start-2 @max-2xl:row-start-3 @max-2xl:self-start @max-2xl:justify-self-end @max-xs:col-span-full @max-xs:col-start-1 @max-xs:justify-self-start @max-2xl:py-0.5">
        <Instant atMs={request.at.getTime()} locale={locale} timeZone={timeZone} withSeconds />
      </span>
      <div className="col-span-full empty:hidden @max-2xl:row-start-2">
        <Failure locale={locale} request={request} />
      </div>
      <details className="col-span-full @2xl:unfolded @max-2xl:row-start-3 @max-xs:row-start-4">
        <Unfold>{t('details')}</Unfold>
        <Names locale={locale} request={request} base={base} />
      </details>
      {request.skipped > 0 && (
        <p className="col-span-full text-muted text-sm">
          {t('skipped')} {request.skipped}
        </p>
      )}
    </li>
  );
}
