'use client';

import {
  unstable_isUnrecognizedActionError as isUnrecognized,
  unstable_rethrow as rethrow,
} from 'next/navigation';
import { type SubmitEvent, startTransition, useActionState, useState } from 'react';

/**
 * A form of the pages before the dashboard. It is posted to its action without JavaScript; the
 * script calls the same action itself, and keeps what is typed. A failed call is then an answer,
 * not an exception, unless an update has removed the action: app/error.tsx handles that.
 *
 * @param failed the answer for a lost connection or a foreign answer; the action may have been
 *   carried out
 * @returns `answer` is null until there is one, and again once a field reports a fault; `handlers`
 *   are for the form
 */
export function useFormAction<Answer>(
  action: (before: Answer | null, form: FormData) => Promise<Answer>,
  failed: Answer,
) {
  const callOrTell = async (before: Answer | null, form: FormData): Promise<Answer> => {
    try {
      return await action(before, form);
    } catch (error) {
      rethrow(error);
      if (isUnrecognized(error)) throw error;
      return failed;
    }
  };
  const [posted, post] = useActionState<Answer | null, FormData>(action, null);
  const [answer, call, isBusy] = useActionState<Answer | null, FormData>(callOrTell, posted);
  const [isOver, setOver] = useState(false);
  const onInvalidCapture = () => setOver(true);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    startTransition(() => {
      call(form);
      // React applies the updates of one transition together: this comes with the new answer.
      setOver(false);
    });
  };
  return {
    answer: isOver ? null : answer,
    isBusy,
    handlers: { action: post, onSubmit, onInvalidCapture },
  };
}
