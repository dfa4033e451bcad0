'use client';

import { type SubmitEvent, startTransition, useActionState, useEffect, useRef } from 'react';
import type { Messages } from '#server/i18n/translator.ts';
import { confirm } from '../actions.ts';
import { answered, noticeOfFailedCall } from './failed-call.ts';
import type { PayNotice } from './form-state.ts';
import { Notice } from './pay-notice.tsx';
import { SubmitButton } from './submit-button.tsx';

type Told = { notice: PayNotice } | null;

/** The action as the script calls it: its own answer is always a redirect. */
async function confirmOrTell(_: Told, form: FormData): Promise<Told> {
  try {
    await answered(confirm(form));
    return null;
  } catch (error) {
    return { notice: noticeOfFailedCall(error) };
  }
}

/** The answers of the challenge page. Without JavaScript they are posted to the server action. */
export function ConfirmForm({
  invoiceId,
  attemptId,
  t,
  noticeTexts,
}: {
  invoiceId: string;
  attemptId: string;
  t: Pick<Messages['pay']['challenge'], 'approve' | 'fail' | 'leave'>;
  noticeTexts: Messages['pay']['notices'];
}) {
  const [told, dispatch, pending] = useActionState(confirmOrTell, null);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (told) notice.current?.focus();
  }, [told]);

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
    startTransition(() => dispatch(data));
  }

  return (
    <form action={confirm} onSubmit={onSubmit} className="grid gap-3">
      <input type="hidden" name="invoiceId" value={invoiceId} />
      <input type="hidden" name="attemptId" value={attemptId} />
      {told && !pending && (
        <Notice
          ref={notice}
          notice={told.notice}
          texts={noticeTexts}
          address={`?attempt=${attemptId}`}
        />
      )}
      <SubmitButton name="answer" value="approve" className="button button-primary">
        {t.approve}
      </SubmitButton>
      <SubmitButton name="answer" value="fail" className="button button-plain">
        {t.fail}
      </SubmitButton>
      <SubmitButton name="answer" value="leave" className="link-quiet min-h-9 text-sm">
        {t.leave}
      </SubmitButton>
    </form>
  );
}
