'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CrossIcon, SearchIcon } from '#app/_ui/icons.tsx';
import { type Choices, useChoices } from '#app/_ui/use-choices.ts';
import { useOpenKeys } from '#app/_ui/use-open-keys.ts';
import type { Translator } from '#server/i18n/translator.ts';
import { type DocsLanguage, docsAddress } from '../_content/docs-language.ts';
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
  const t = useTranslations('docs.search');
  return (
    <div role="listbox" {...choices.list} aria-label={t('results')} className="docs-hits">
      {hits.map(({ entry, snippet }, index) => (
        <button key={entry.href} role="option" {...choices.choice(index)}>
          <span className="block font-medium" lang={entry.language}>
            <Marked text={entry.heading || entry.page} query={query} />
            {entry.heading && <span className="text-muted text-sm"> · {entry.page}</span>}
          </span>
          <span className="block text-muted text-sm" lang={entry.language}>
            <Marked text={snippet} query={query} />
          </span>
        </button>
      ))}
    </div>
  );
}

/** Loads the index; a refusal, whatever its body, is not an index. */
async function loadEntries(language: DocsLanguage): Promise<SearchEntry[]> {
  const answer = await fetch(docsAddress('/docs/search.json', language));
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}.`);
  return await answer.json();
}

function useEntries(language: DocsLanguage) {
  const [entries, setEntries] = useState<SearchEntry[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    loadEntries(language).then(setEntries, () => setFailed(true));
  }, [language]);
  return { entries, hasFailed };
}

function says(
  t: Translator<'docs.search'>,
  query: string,
  state: { entries: unknown; hasFailed: boolean; count: number },
): string {
  if (state.hasFailed) return t('failed');
  if (!state.entries) return t('loading');
  if (query.trim() === '') return t('begin');
  return state.count === 0 ? t('nothing', { query: query.trim() }) : '';
}

/** The main pages, for a reader who has found nothing. */
function WaysOn({ language, close }: { language: DocsLanguage; close: () => void }) {
  const t = useTranslations('docs.search');
  const ways = [
    ['/docs/errors', t('errors')],
    ['/docs/api', t('reference')],
  ] as const;
  return (
    <div className="flex flex-wrap gap-2 px-5 pb-6">
      {ways.map(([address, text]) => (
        <Link
          key={address}
          href={docsAddress(address, language)}
          prefetch={false}
          className="button button-plain"
          onClick={close}
        >
          {text}
        </Link>
      ))}
    </div>
  );
}

function SearchPanel({ language, close }: { language: DocsLanguage; close: () => void }) {
  const t = useTranslations('docs.search');
  const [query, setQuery] = useState('');
  const { entries, hasFailed } = useEntries(language);
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
  const message = says(t, query, { entries, hasFailed, count: hits.length });
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
          aria-label={t('field')}
          placeholder={t('field')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            choices.begin();
          }}
        />
        <button
          type="button"
          onClick={close}
          aria-label={t('close')}
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
        {message || t('count', { count: hits.length })}
      </p>
      {entries && query.trim() !== '' && hits.length === 0 && (
        <WaysOn language={language} close={close} />
      )}
      <Hits {...{ hits, query, choices }} />
    </>
  );
}

/** A button and a dialog that finds sections; the index loads when it opens. */
export function Search({ language }: { language: DocsLanguage }) {
  const t = useTranslations('docs.search');
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
        aria-label={t('open')}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <SearchIcon className="size-4" />
        <span className="hidden sm:inline">{t('open')}</span>
        <kbd className="docs-key hidden md:inline">{keys}</kbd>
      </button>
      <dialog
        ref={dialog}
        aria-label={t('open')}
        className="docs-dialog"
        onClose={() => setOpen(false)}
      >
        {isOpen && <SearchPanel language={language} close={close} />}
      </dialog>
    </>
  );
}
