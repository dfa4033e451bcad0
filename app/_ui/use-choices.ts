'use client';

import { type KeyboardEvent, useEffect, useId, useState } from 'react';

/**
 * A list of choices below a field that keeps the focus. Arrows move the mark and wrap around, and
 * Enter takes the marked choice. The mouse moves the same mark; a finger scrolls.
 *
 * @param count the present number of choices
 * @param take called with the index of the chosen one
 * @returns the index of the marked one, `begin` to mark the first, and the elements' props
 */
export function useChoices(count: number, take: (at: number) => void) {
  const id = useId();
  const [marked, mark] = useState(0);
  // The list may have become shorter.
  const at = Math.max(0, Math.min(marked, count - 1));
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Enter only confirms a composition while there is one.
    const isTaken = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (count === 0 || (step === undefined && !isTaken)) return;
    event.preventDefault();
    if (step === undefined) take(at);
    else mark((at + step + count) % count);
  };
  return {
    at,
    begin: () => mark(0),
    field: {
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': count > 0 ? `${id}-${at}` : undefined,
      autoComplete: 'off',
      onKeyDown,
    } as const,
    list: { id },
    choice: (place: number) =>
      ({
        type: 'button',
        id: `${id}-${place}`,
        tabIndex: -1,
        'aria-selected': place === at,
        onPointerMove: ({ pointerType }: { pointerType: string }) => {
          if (pointerType === 'mouse') mark(place);
        },
        onClick: () => take(place),
      }) as const,
  };
}

export type Choices = ReturnType<typeof useChoices>;
