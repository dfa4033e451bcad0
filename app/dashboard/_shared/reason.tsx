import { readReason } from '#server/callbacks/reasons.ts';
import type { Translator } from '#server/i18n/translator.ts';

/** Why a callback's attempt failed, in the reader's language; it is stored in English. */
export function reasonText(reason: string, t: Translator<'reasons'>): string {
  const read = readReason(reason);
  if (!read) return reason;
  const { code, values } = read;
  if (code !== 'but') return t(code, values);
  return t(code, { ...values, reason: reasonText(String(values.reason), t) });
}

/** The same on a screen; a name in backticks is set as code. */
export function Reason({ reason, t }: { reason: string; t: Translator<'reasons'> }) {
  const text = reasonText(reason, t);
  const [, before, name, after] = /^([^`]*)`([^`]+)`([^`]*)$/.exec(text) ?? [];
  if (name === undefined) return text;
  return (
    <>
      {before}
      <code className="font-mono text-[0.92em]">{name}</code>
      {after}
    </>
  );
}
