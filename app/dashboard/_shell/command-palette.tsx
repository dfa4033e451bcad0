'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { CrossIcon, SearchIcon } from '#app/_ui/icons.tsx';
import { type Choices, useChoices } from '#app/_ui/use-choices.ts';
import { docsAddress } from '#app/docs/_content/docs-language.ts';
import type { SearchEntry } from '#app/docs/_parts/search-entries.ts';
import { MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import { signOutFully } from '../_shared/account/sign-out.ts';
import { dashboardClient } from '../_shared/client.ts';
import { isOutdated } from '../_shared/failure-text.ts';
import { mayLeave } from '../_shared/forms/unsaved.ts';
import { showToast } from '../_shared/show-toast.ts';
import { inEnvironment } from './other-environment.ts';
import { type Answer, type Choice, choicesFor, statusFor } from './palette-choices.ts';

export type PaletteProps = {
  environment: Environment;
  locale: Locale;
  /** The viewer's. */
  timeZone: string;
  places: { href: string; text: string }[];
  deeds: { href: string; text: string; words: string }[];
  onClose: () => void;
  /** Goes to another screen; its progress sign outlasts the palette. */
  go: (href: string) => void;
};

/** Each pause in typing makes one search. */
const PAUSE_MS = 150;
const MOST = 6;

const NOTHING: Answer = { text: '', found: [], isPartial: false, hasFailed: false };

/**
 * Searches for invoices by the typed text; the answer names its text.
 *
 * @param dialog closed for a reload or a sign-in, which a toast offers: the dialog would cover it
 */
function useInvoiceSearch(
  { environment, timeZone }: Pick<PaletteProps, 'environment' | 'timeZone'>,
  text: string,
  dialog: RefObject<HTMLDialogElement | null>,
): Answer {
  const [answer, setAnswer] = useState(NOTHING);
  useEffect(() => {
    if (text.trim() === '') return;
    const abort = new AbortController();
    const search = async () => {
      const page = { filters: { search: text, timeZone }, limit: MOST };
      try {
        const { invoices, searchedToMs, pendingSearchedToMs } = await dashboardClient(
          environment,
        ).invoices.list.query(page, { signal: abort.signal });
        const isPartial = searchedToMs !== null || pendingSearchedToMs !== null;
        setAnswer({ text, found: invoices, isPartial, hasFailed: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        if (isOutdated(error)) dialog.current?.close();
        else setAnswer({ ...NOTHING, text, hasFailed: true });
      }
    };
    const timer = setTimeout(() => void search(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [environment, timeZone, text, dialog]);
  return answer;
}

/** The sections of the docs; the palette is whole without them. */
function useDocs(locale: Locale): SearchEntry[] {
  const [entries, setEntries] = useState<SearchEntry[]>([]);
  useEffect(() => {
    const load = async () => {
      const answer = await fetch(docsAddress('/docs/search.json', locale));
      if (answer.ok) setEntries(await answer.json());
    };
    load().catch(() => undefined);
  }, [locale]);
  return entries;
}

function ChoiceList({ found, choices }: { found: Choice[]; choices: Choices }) {
  const t = useTranslations('dashboard.palette');
  return (
    <div
      role="listbox"
      {...choices.list}
      aria-label={t('results')}
      className="grid max-h-[50dvh] gap-0.5 overflow-y-auto p-2"
    >
      {found.map((choice, index) => (
        <button
          key={'href' in choice ? choice.href : choice.does}
          role="option"
          {...choices.choice(index)}
          className={`block w-full min-w-0 rounded-lg px-3 py-2 text-left ${
            index === choices.at ? 'bg-sunk' : ''
          }`}
        >
          <span className="block font-medium tabular-nums">{choice.text}</span>
          {choice.note && <span className="block truncate text-muted text-sm">{choice.note}</span>}
        </button>
      ))}
    </div>
  );
}

/** One box for invoices, places, actions and the docs. The focus stays in the box; the list follows. */
export function CommandPalette(props: PaletteProps) {
  const script = useTranslations('script');
  const t = useTranslations('dashboard.palette');
  const all = useTranslations('dashboard');
  const { environment, locale, timeZone, deeds, onClose, go } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const answer = useInvoiceSearch(props, typed, dialog);
  const docs = useDocs(locale);
  const { pathname: path, search } = window.location;
  const other = environment === 'sandbox' ? 'production' : 'sandbox';
  const same = { href: inEnvironment(other, { path, search }), text: t(`switchTo.${other}`) };
  const found = choicesFor(typed, answer, {
    t: all,
    environment,
    locale,
    timeZone,
    places: [...props.places, same],
    deeds,
    docs,
  });
  const choices = useChoices(found.length, (at) => {
    const choice = found[at];
    if (!choice) return;
    dialog.current?.close();
    const href = 'href' in choice ? choice.href : null;
    if (href !== path + search && !mayLeave()) return;
    // The proxy remembers a language, and the whole page is to be in it.
    if (href?.startsWith('?lang=')) window.location.assign(href);
    else if (href !== null) go(href);
    else signOutFully().catch(() => showToast(script('unreachable'), 'negative'));
    // A field that is already on this page takes the focus, because Next only scrolls there.
    document.getElementById(href?.split('#')[1] ?? '')?.focus();
  });
  useEffect(() => dialog.current?.showModal(), []);
  const status = statusFor(typed, answer, found, t);

  return (
    <dialog
      ref={dialog}
      aria-label={t('open')}
      onClose={onClose}
      className="card mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-xl overflow-hidden text-ink backdrop:bg-black/50"
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <SearchIcon className="size-5 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-expanded={found.length > 0}
          {...choices.field}
          aria-label={t('hint')}
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t('hint')}
          maxLength={MAX_SEARCH_LENGTH}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            choices.begin();
          }}
          className="min-h-14 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted"
        />
        <button
          type="button"
          aria-label={t('close')}
          onClick={() => dialog.current?.close()}
          className="-mr-2 grid size-10 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
        >
          <CrossIcon className="size-4" />
        </button>
      </div>
      {found.length > 0 && <ChoiceList {...{ found, choices }} />}
      {/* A phone's user has no use for keys. */}
      <p
        role="status"
        className={`border-line border-t px-4 py-2 text-muted text-sm ${status === t('keys') ? 'max-sm:sr-only' : ''}`}
      >
        {status}
      </p>
    </dialog>
  );
}
