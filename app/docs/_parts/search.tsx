'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { CrossIcon, SearchIcon } from '#app/_ui/icons.tsx';
import { type Choices, useChoices } from '#app/_ui/use-choices.ts';
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

function Hits({ hits, query, choices }: { hits: SearchHit[]; query: string; choices: Choices }) {
  return (
    <div role="listbox" {...choices.list} aria-label="Results" className="docs-hits">
      {hits.map(({ entry, snippet }, index) => (
        <button key={entry.href} role="option" {...choices.choice(index)}>
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

/** Loads the index; a refusal, whatever its body, is not an index. */
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
  if (state.hasFailed) return 'Search could not be loaded. Close it and try again.';
  if (!state.entries) return 'Loading…';
  if (query.trim() === '') return 'Type an error message, a field or any word.';
  return state.count === 0 ? `Nothing found for “${query.trim()}”.` : '';
}

/** The main pages, for a reader who has found nothing. */
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
  const { entries, hasFailed } = useEntries();
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const hits = findEntries(entries ?? [], query);
  const choices = useChoices(hits.length, (at) => {
    const hit = hits[at];
    if (!hit) return;
    close();
    router.push(hit.entry.href);
  });
  const message = says(query, { entries, hasFailed, count: hits.length });
  return (
    <>
      <div className="docs-search-field">
        <SearchIcon className="size-5 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-expanded={hits.length > 0}
          {...choices.field}
          ref={field}
          type="text"
          aria-label="Search the documentation"
          placeholder="Search the documentation"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            choices.begin();
          }}
        />
        <button
          type="button"
          onClick={close}
          aria-label="Close (Esc)"
          className="-my-2.5 -mr-2 grid min-h-11 min-w-11 shrink-0 place-items-center rounded-lg text-muted hover:text-ink"
        >
          {/* Small screens seldom come with such a key. */}
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
      <Hits {...{ hits, query, choices }} />
    </>
  );
}

/** A button and a dialog that finds sections; the index loads when it opens. */
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
