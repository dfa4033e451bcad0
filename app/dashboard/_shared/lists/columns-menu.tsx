'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { COLUMNS_COOKIE } from './columns-cookie.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * The choice of a list's columns, which the browser keeps. Without script it is a form whose answer
 * has them in its address.
 *
 * @param props.address the list as it is shown, without columns
 * @param props.isInAddress whether the address names columns, which precede those kept
 */
export function ColumnsMenu({
  address,
  query,
  columns,
  isInAddress,
  words,
}: {
  address: string;
  /** Its values, for the form. */
  query: Record<string, string>;
  columns: readonly { value: string; text: string; isShown: boolean }[];
  isInAddress: boolean;
  words: { open: string; apply: string };
}) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(() =>
    columns.filter(({ isShown }) => isShown).map(({ value }) => value),
  );
  const keep = async (wanted: string[]) => {
    setShown(wanted);
    const value = encodeURIComponent(wanted.join(','));
    const expires = Date.now() + YEAR_MS;
    try {
      await cookieStore.set({
        name: COLUMNS_COOKIE,
        value,
        path: '/dashboard',
        expires,
        sameSite: 'lax',
      });
      if (isInAddress) router.replace(address, { scroll: false });
      else router.refresh();
    } catch {
      // A browser that keeps nothing has them in the address.
      form.current?.requestSubmit();
    }
  };
  return (
    <div className="[anchor-scope:--pill]">
      <button
        type="button"
        popoverTarget="columns"
        className="inline-flex min-h-8 items-center rounded-control px-2 text-muted text-sm [anchor-name:--pill] hover:text-ink pointer-coarse:min-h-11"
      >
        {words.open}
      </button>
      <form
        ref={form}
        id="columns"
        popover="auto"
        action={address.split('?')[0]}
        aria-label={words.open}
        className="card pill-sheet p-4 text-ink"
      >
        {Object.entries(query).map(
          ([name, value]) =>
            value !== '' && <input key={name} type="hidden" name={name} value={value} />,
        )}
        <p className="mb-1 font-semibold text-sm">{words.open}</p>
        {columns.map(({ value, text }) => {
          const isShown = shown.includes(value);
          return (
            <label
              key={value}
              className="flex min-h-9 items-center gap-2.5 text-[0.9375rem] pointer-coarse:min-h-11"
            >
              <input
                type="checkbox"
                name="columns"
                value={value}
                checked={isShown}
                // One stays: a list of amounts alone tells nothing.
                disabled={isShown && shown.length === 1}
                className="size-4"
                onChange={() => {
                  const wanted = columns.map((each) => each.value);
                  void keep(
                    wanted.filter((each) => (each === value ? !isShown : shown.includes(each))),
                  );
                }}
              />
              {text}
            </label>
          );
        })}
        <noscript>
          <button type="submit" className="button button-primary button-compact mt-2">
            {words.apply}
          </button>
        </noscript>
      </form>
    </div>
  );
}
