import { AlertIcon } from '#app/_ui/icons.tsx';

/** What the pay action has to say besides the state of the invoice. */
export function Notice({ text }: { text: string }) {
  return (
    <p
      id="pay-notice"
      tabIndex={-1}
      className="flex gap-3 rounded-xl border border-caution-line bg-caution-soft p-4 text-[0.9375rem]"
    >
      <AlertIcon className="mt-0.5 size-5 shrink-0 text-caution" />
      <span>{text}</span>
    </p>
  );
}
