import type { DashboardLocale } from '../_i18n/messages.ts';
import { reasonText } from '../_i18n/reasons.ts';

/** Why a callback's attempt did not count; the name that some say in backticks is set as code. */
export function Reason({ reason, locale }: { reason: string; locale: DashboardLocale }) {
  const text = reasonText(reason, locale);
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
