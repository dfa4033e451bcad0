'use client';

import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';

declare global {
  interface Window {
    /** The last press of a button; noted from before the first script on (`early-press.tsx`). */
    earlyPress?: { button: HTMLButtonElement; atMs: number };
  }
}

/** Whoever pressed longer ago does not expect it any more. */
const PATIENCE_MS = 20_000;

/** Whether this button was the last to be pressed, when nothing answered it yet. */
function wasPressed(button: HTMLButtonElement | null): boolean {
  const last = window.earlyPress;
  return last?.button === button && performance.now() - last.atMs < PATIENCE_MS;
}

/** Not so in a menu that has been closed again. */
function isDrawn(button: HTMLButtonElement | null): boolean {
  return (button?.getClientRects().length ?? 0) > 0;
}

/**
 * A button that a script answers. Who presses it before the script is there has it pressed, once,
 * when it is. (A form keeps its own: `ScriptForm`.)
 */
export function PressButton({ ref, type = 'button', ...button }: ComponentProps<'button'>) {
  const own = useRef<HTMLButtonElement>(null);
  const isAnswered = useRef(false);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => own.current);
  useEffect(() => {
    // A form's press is kept by React; and only the server's button can have been pressed by now.
    if (type !== 'button' || !wasPressed(own.current)) return;
    // Once all else that comes with the page is there too.
    const timer = setTimeout(() => {
      window.earlyPress = undefined;
      // Nor a second time for who has pressed again, meanwhile with the script.
      if (!isAnswered.current && isDrawn(own.current)) own.current?.click();
    });
    return () => clearTimeout(timer);
  }, [type]);
  return (
    <button
      {...button}
      type={type}
      ref={own}
      onClickCapture={() => {
        isAnswered.current = true;
      }}
    />
  );
}
