'use client';

import {
  type ComponentProps,
  type FormEvent,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

/** React empties a form whose action is done; this one has only noted the press. */
function keepTyped(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault();
}

/**
 * A form that only its script sends. Whoever presses before the script is there has it sent, once,
 * when it is: React keeps the press of a form whose action is a function. Without any script nothing
 * is sent, where a form without an action would put all that is typed, passwords too, into the
 * address.
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
  // Not by the action itself, after which React empties the form.
  useEffect(() => {
    // Nor a second time for who has pressed again, meanwhile with the script.
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
