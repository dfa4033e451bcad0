'use client';

import {
  unstable_isUnrecognizedActionError as isUnrecognized,
  unstable_rethrow as rethrow,
} from 'next/navigation';
import { type SubmitEvent, startTransition, useActionState, useState } from 'react';

/**
 * A form of the pages before the dashboard. Without JavaScript it is posted to its action; the
 * script calls the same action itself, and leaves what is typed where it is. A call that fails is
 * an answer then, not an exception, unless an update has taken the action away: app/error.tsx tells
 * of that.
 *
 * @param failed the answer where the connection was lost, or something else has answered; the
 *   action may have been carried out for all that
 * @returns `answer` is null until there is one, and again where a field says itself what is wrong;
 *   `handlers` are for the form
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
      // React carries out what stands in one transition at once: with the new answer.
      setOver(false);
    });
  };
  return {
    answer: isOver ? null : answer,
    isBusy,
    handlers: { action: post, onSubmit, onInvalidCapture },
  };
}
