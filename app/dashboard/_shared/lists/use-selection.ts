'use client';

import { useEffect, useRef, useState } from 'react';

/** A row whose box is ticked, with the deeds that its state allows. */
export type Selected = { id: string; name: string; can: readonly string[] };

const boxes = (kind: 'row' | 'all') => [
  ...document.querySelectorAll<HTMLInputElement>(`[data-select=${kind}]`),
];

/** The ticked rows; the box of all shows whether these are all, some or none. */
function readTicked(): Selected[] {
  const rows = boxes('row');
  const ticked = rows.filter(({ checked }) => checked);
  for (const box of boxes('all')) {
    box.checked = ticked.length > 0 && ticked.length === rows.length;
    box.indeterminate = ticked.length > 0 && !box.checked;
  }
  return ticked.map(({ value, dataset: { name = '', can = '' } }) => ({
    id: value,
    name,
    can: can.split(' '),
  }));
}

/** Ticks the boxes between two, or unticks them. */
function setRange(from: HTMLInputElement, to: HTMLInputElement): void {
  const rows = boxes('row');
  const [low, high] = [rows.indexOf(from), rows.indexOf(to)].sort((a, b) => a - b);
  if (low === undefined || low < 0 || high === undefined) return;
  for (const box of rows.slice(low, high + 1)) box.checked = to.checked;
}

/** The rows of the page's list whose boxes are ticked; with Shift, a press reaches from the last one. */
export function useSelection(): { selected: Selected[]; clear: () => void } {
  const [selected, setSelected] = useState<Selected[]>([]);
  const last = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      if (!(target instanceof HTMLInputElement) || !target.dataset.select) return;
      if (target.dataset.select === 'all') {
        for (const box of boxes('row')) box.checked = target.checked;
      } else {
        if (shiftKey && last.current) setRange(last.current, target);
        last.current = target;
      }
      setSelected(readTicked());
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
  const clear = () => {
    for (const box of boxes('row')) box.checked = false;
    setSelected(readTicked());
  };
  return { selected, clear };
}
