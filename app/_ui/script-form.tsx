'use client';

import {
  type ComponentProps,
  type FormEvent,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

/** React empties a form when its action is done, but this action has only noted the press. */
function keepTyped(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault();
}

/**
 * A form that only its script sends. A press before the script has loaded is sent once the script
 * is there: React keeps the press of a form whose action is a function. Nothing is sent without
 * script, whereas a form without an action would put its fields, even passwords, into the address.
 *
 * @param onSubmit prevents the default at once
 */
export function ScriptForm({
  ref,
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'method' | 'action' | 'onReset' | 'onSubmit'> & {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) {
  const own = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  useImperativeHandle<HTMLFormElement | null, HTMLFormElement | null>(ref, () => own.current);
  const [isPressedEarly, setPressedEarly] = useState(false);
  // The action itself does not send the form, because React empties the form after it.
  useEffect(() => {
    // A user who has pressed again, now with the script, has sent the form already.
    if (isPressedEarly && !isSent.current) own.current?.requestSubmit();
  }, [isPressedEarly]);
  return (
    <form
      {...form}
      ref={own}
      action={() => setPressedEarly(true)}
      onReset={keepTyped}
      onSubmit={(event) => {
        isSent.current = true;
        onSubmit(event);
      }}
    />
  );
}
