'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CrossIcon, SearchIcon } from '#app/_ui/icons.tsx';
import { useOpenKeys } from '#app/_ui/use-open-keys.ts';
import { findEntries, markedPieces, type SearchEntry, type SearchHit } from './search-entries.ts';

function Marked({ text, query }: { text: string; query: string }) {
  return markedPieces(text, query).map((piece, index) => {
    const key = `${index} ${piece.text}`;
    return piece.isMarked ? (
      <mark key={key}>{piece.text}</mark>
    ) : (
      <span key={key}>{piece.text}</span>
    );
  });
}

function Hits({
  id,
  hits,
  at,
  query,
  onPoint,
  onChoose,
}: {
  id: string;
  hits: SearchHit[];
  at: number;
  query: string;
  /** A mouse moves the choice, so that never two are marked; a finger scrolls. */
  onPoint: (index: number) => void;
  onChoose: (href: string) => void;
}) {
  return (
    <div role="listbox" id={id} aria-label="Results" className="docs-hits">
      {hits.map(({ entry, snippet }, index) => (
        // The field keeps the focus and takes the keys.
        <button
          key={entry.href}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerMove={({ pointerType }) => pointerType === 'mouse' && onPoint(index)}
          onClick={() => onChoose(entry.href)}
        >
          <span className="block font-medium">
            <Marked text={entry.heading || entry.page} query={query} />
            {entry.heading && <span className="text-muted text-sm"> · {entry.page}</span>}
          </span>
          <span className="block text-muted text-sm">
            <Marked text={snippet} query={query} />
          </span>
        </button>
      ))}
    </div>
  );
}

/** Loads the index; a refusal, whatever it holds, is none. */
async function loadEntries(): Promise<SearchEntry[]> {
  const answer = await fetch('/docs/search.json');
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}.`);
  return await answer.json();
}

function useEntries() {
  const [entries, setEntries] = useState<SearchEntry[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    loadEntries().then(setEntries, () => setFailed(true));
  }, []);
  return { entries, hasFailed };
}

function says(
  query: string,
  state: { entries: unknown; hasFailed: boolean; count: number },
): string {
  if (state.hasFailed) return 'The search could not be loaded. Close it and try again.';
  if (!state.entries) return 'Loading…';
  if (query.trim() === '') return 'Type what you look for: an error’s text, a field, a word.';
  return state.count === 0 ? `Nothing found for “${query.trim()}”.` : '';
}

/** Where everything stands, for whoever has found nothing. */
function WaysOn({ close }: { close: () => void }) {
  return (
    <div className="flex flex-wrap gap-2 px-5 pb-6">
      <Link href="/docs/errors" prefetch={false} className="button button-plain" onClick={close}>
        Errors
      </Link>
      <Link href="/docs/api" prefetch={false} className="button button-plain" onClick={close}>
        API reference
      </Link>
    </div>
  );
}

function SearchPanel({ close }: { close: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const { entries, hasFailed } = useEntries();
  const router = useRouter();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const hits = findEntries(entries ?? [], query);
  const go = (href: string) => {
    close();
    router.push(href);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setAt((at + step + hits.length) % hits.length);
    }
    const hit = hits[at];
    // Of a composition, Enter only confirms it.
    if (event.key === 'Enter' && hit && !event.nativeEvent.isComposing) {
      event.preventDefault();
      go(hit.entry.href);
    }
  };
  const message = says(query, { entries, hasFailed, count: hits.length });
  return (
    <>
      <div className="docs-search-field">
        <SearchIcon className="size-5 shrink-0 text-muted" />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label="Search the documentation"
          aria-expanded={hits.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Search the documentation"
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <button
          type="button"
          onClick={close}
          aria-label="Close (Esc)"
          className="-my-2.5 -mr-2 grid min-h-11 min-w-11 shrink-0 place-items-center rounded-lg text-muted hover:text-ink"
        >
          {/* Few of the smaller screens come with such a key. */}
          <span className="docs-key hidden lg:inline">Esc</span>
          <span className="lg:hidden">
            <CrossIcon />
          </span>
        </button>
      </div>
      <p role="status" className={message ? 'px-5 py-6 text-muted' : 'sr-only'}>
        {message || `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`}
      </p>
      {entries && query.trim() !== '' && hits.length === 0 && <WaysOn close={close} />}
      <Hits id={id} hits={hits} at={at} query={query} onPoint={setAt} onChoose={go} />
    </>
  );
}

/** A button and a dialog that finds sections; the index is loaded when it opens. */
export function Search() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    dialog.current?.showModal();
    setOpen(true);
  };
  const close = () => dialog.current?.close();
  const keys = useOpenKeys(open);
  return (
    <>
      <button
        type="button"
        onClick={open}
        className="docs-search needs-script"
        aria-label="Search"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <SearchIcon className="size-4" />
        <span className="hidden sm:inline">Search</span>
        <kbd className="docs-key hidden md:inline">{keys}</kbd>
      </button>
      <dialog
        ref={dialog}
        aria-label="Search"
        className="docs-dialog"
        onClose={() => setOpen(false)}
      >
        {isOpen && <SearchPanel close={close} />}
      </dialog>
    </>
  );
}
