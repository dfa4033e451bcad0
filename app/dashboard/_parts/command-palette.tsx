'use client';

import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CrossIcon, SearchIcon } from '#app/_ui/icons.tsx';
import { type InvoiceStatus, MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import { dashboardClient } from './client.ts';
import {
  type Answer,
  type Choice,
  choicesFor,
  type PaletteWords,
  statusFor,
} from './palette-choices.ts';

export type PaletteProps = {
  t: PaletteWords;
  environment: Environment;
  locale: DashboardLocale;
  statuses: Record<InvoiceStatus, string>;
  places: { href: string; text: string }[];
  onClose: () => void;
};

/** A person types on; each pause is one search. */
const PAUSE_MS = 150;
const MOST = 6;

const NOTHING: Answer = { text: '', found: [], isPartial: false, hasFailed: false };

/** Looks for invoices by what is typed; the answer names the text that it is for. */
function useInvoiceSearch(environment: Environment, text: string): Answer {
  const [answer, setAnswer] = useState(NOTHING);
  useEffect(() => {
    if (text.trim() === '') return;
    const abort = new AbortController();
    const search = async () => {
      const page = { filters: { search: text }, limit: MOST };
      try {
        const { invoices, searchedToMs, pendingSearchedToMs } = await dashboardClient(
          environment,
        ).invoices.list.query(page, { signal: abort.signal });
        const isPartial = searchedToMs !== null || pendingSearchedToMs !== null;
        setAnswer({ text, found: invoices, isPartial, hasFailed: false });
      } catch {
        if (!abort.signal.aborted) setAnswer({ ...NOTHING, text, hasFailed: true });
      }
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [environment, text]);
  return answer;
}

function Choices({
  id,
  t,
  choices,
  active,
  onPoint,
  onChoose,
}: {
  id: string;
  t: PaletteWords;
  choices: Choice[];
  active: number;
  /** A mouse moves the choice, so that never two are marked; a finger scrolls. */
  onPoint: (index: number) => void;
  onChoose: (choice: Choice) => void;
}) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t.results}
      className="grid max-h-[50dvh] gap-0.5 overflow-y-auto p-2"
    >
      {choices.map((choice, index) => (
        <button
          key={choice.href}
          id={`${id}-${index}`}
          type="button"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          onPointerMove={({ pointerType }) => pointerType === 'mouse' && onPoint(index)}
          onClick={() => onChoose(choice)}
          className={`block w-full min-w-0 rounded-lg px-3 py-2 text-left ${
            index === active ? 'bg-sunk' : ''
          }`}
        >
          <span className="block font-medium tabular-nums">{choice.text}</span>
          {choice.note && <span className="block truncate text-muted text-sm">{choice.note}</span>}
        </button>
      ))}
    </div>
  );
}

/** One box that finds invoices and places. The keyboard stays in the box; the list follows it. */
export function CommandPalette(props: PaletteProps) {
  const { t, environment, onClose } = props;
  const router = useRouter();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const answer = useInvoiceSearch(environment, typed);
  const choices = choicesFor(typed, answer, props);
  // What the search finds, or does not, makes the list longer or shorter.
  const active = Math.min(chosen, choices.length - 1);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    dialog.current?.close();
    router.push(choice.href);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setChosen((active + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(choices[active]);
    else return;
    event.preventDefault();
  };
  const status = statusFor(typed, answer, choices, t);

  return (
    <dialog
      ref={dialog}
      aria-label={t.open}
      onClose={onClose}
      className="card mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-xl overflow-hidden text-ink backdrop:bg-black/50"
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <SearchIcon className="size-5 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label={t.hint}
          aria-expanded={choices.length > 0}
          aria-controls={id}
          aria-activedescendant={choices[active] && `${id}-${active}`}
          aria-autocomplete="list"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t.hint}
          maxLength={MAX_SEARCH_LENGTH}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
          className="min-h-14 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
        />
        <button
          type="button"
          aria-label={t.close}
          onClick={() => dialog.current?.close()}
          className="-mr-2 grid size-10 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
        >
          <CrossIcon className="size-4" />
        </button>
      </div>
      {choices.length > 0 && (
        <Choices {...{ id, t, choices, active }} onPoint={setChosen} onChoose={choose} />
      )}
      {/* Keys are no news to who holds a phone. */}
      <p
        role="status"
        className={`border-line border-t px-4 py-2 text-muted text-sm ${status === t.keys ? 'max-sm:sr-only' : ''}`}
      >
        {status}
      </p>
    </dialog>
  );
}
