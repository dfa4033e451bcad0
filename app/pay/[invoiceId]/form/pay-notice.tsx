import type { Ref } from 'react';
import { AlertIcon } from '#app/_ui/icons.tsx';
import type { Messages, Translator } from '#server/i18n/translator.ts';
import type { PayNotice } from './form-state.ts';

/** Stands for the minutes in a text that the browser fills in, since only the answer tells them. */
const MINUTES = '{minutes}';

/** The notices as the browser takes them. */
export function noticeTexts(
  t: Translator<'pay'>,
  texts: Messages['pay']['notices'],
): Messages['pay']['notices'] {
  return { ...texts, throttled: t('notices.throttled', { minutes: MINUTES }) };
}

/** These ask for the page to be loaded again. */
const RELOADS: readonly PayNotice[] = ['unclear', 'outdated'];

/** What the pay action has to say besides the state of the invoice. */
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
  /** How long to wait, for the notice that tells it. */
  waitMin?: number;
  texts: Messages['pay']['notices'];
  /** Of the page that shows it. */
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
