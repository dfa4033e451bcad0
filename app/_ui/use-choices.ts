'use client';

import { type KeyboardEvent, useEffect, useId, useState } from 'react';

/**
 * A list of choices below a field that keeps the focus: arrows go through it and around its ends, Enter
 * takes what is marked, and a mouse marks what it points at, so that never two are; a finger scrolls.
 *
 * @param count how many there are now
 * @param take called with the place of the one that is taken
 * @returns the place of the one that is marked, `begin` to mark the first, and what the elements need
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
    // Of a composition, Enter only confirms it.
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
