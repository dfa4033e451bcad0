import type { Ref } from 'react';
import { AlertIcon } from '#app/_ui/icons.tsx';
import type { Messages, Translator } from '#server/i18n/translator.ts';
import type { PayNotice } from './form-state.ts';

/** The place of the minutes in a text: the browser fills them in from the answer. */
const MINUTES = '{minutes}';

/** The notices in the form that the browser gets. */
export function noticeTexts(
  t: Translator<'pay'>,
  texts: Messages['pay']['notices'],
): Messages['pay']['notices'] {
  return { ...texts, throttled: t('notices.throttled', { minutes: MINUTES }) };
}

/** The notices that ask for a reload of the page. */
const RELOADS: readonly PayNotice[] = ['unclear', 'outdated'];

/** The pay action's message besides the state of the invoice. */
export function Notice({
  ref,
  notice,
  waitMin,
  texts,
  // An empty address is this page's own; a reload of a post would ask to send it again.
  address = '?',
}: {
  ref: Ref<HTMLDivElement>;
  notice: PayNotice;
  /** The minutes to wait, for the notice that tells them. */
  waitMin?: number;
  texts: Messages['pay']['notices'];
  /** The address of the page that shows it. */
  address?: string;
}) {
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="flex gap-3 rounded-xl border border-caution-line bg-caution-soft p-4 text-[0.9375rem]"
    >
      <AlertIcon className="mt-0.5 size-5 shrink-0 text-caution" />
      <div className="min-w-0 space-y-1">
        <p>{texts[notice].replace(MINUTES, String(waitMin))}</p>
        {RELOADS.includes(notice) && (
          <p>
            <a className="link font-semibold" href={address}>
              {texts.reload}
            </a>
          </p>
        )}
      </div>
    </div>
  );
}
