'use client';

import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl/react';
import { CrossIcon } from '#app/_ui/icons.tsx';
import type { Translator } from '#server/i18n/translator.ts';
import { INVOICE_LIMITS } from '#server/invoices/types.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { INPUT } from '../../../_shared/forms/form-field.tsx';
import type { Draft, Faults } from './invoice-draft.ts';

function focusTitle(row: Element | null | undefined): void {
  row?.querySelector<HTMLElement>('[data-field="title"]')?.focus();
}

/**
 * Moves the focus to a neighbour's title, after the last position to the button that adds one: the
 * pressed button disappears with its position.
 */
function focusBeside(button: HTMLButtonElement, add: HTMLButtonElement | null): void {
  const row = button.closest('li');
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  if (beside) focusTitle(beside);
  else add?.focus();
}

/** One text for both fields of a position; a missing title asks for one. */
function positionFault(
  title: string | undefined,
  amount: string | undefined,
  t: Translator<'dashboard.create'>,
): string | undefined {
  if (title !== t('needed')) return title ?? amount;
  return amount ? t('positionNeeded') : t('titleNeeded');
}

/** The positions of a draft, if it has any; the first one begins with what was typed before. */
export function PositionFields({
  locale,
  draft,
  faults,
  onChange,
}: {
  locale: Locale;
  draft: Draft;
  faults: Faults;
  onChange: (part: Partial<Draft>) => void;
}) {
  const t = useTranslations('dashboard.create');
  const { positions, currency } = draft;
  const list = useRef<HTMLUListElement>(null);
  const adds = useRef<HTMLButtonElement>(null);
  const edit = (key: number, part: { title?: string; amount?: string }) =>
    onChange({
      positions: positions.map((each) => (each.key === key ? { ...each, ...part } : each)),
    });
  const add = () => {
    const key = Math.max(-1, ...positions.map((each) => each.key)) + 1;
    const next =
      positions.length === 0
        ? { key, title: draft.description, amount: draft.amount }
        : { key, title: '', amount: '' };
    flushSync(() => onChange({ positions: [...positions, next] }));
    // The new position stands above the button, and is the next to be filled in.
    focusTitle(list.current?.lastElementChild);
  };
  const columns = 'grid-cols-[minmax(0,1fr)_2.5rem] @3xs:grid-cols-[minmax(0,1fr)_7.5rem_2.5rem]';
  return (
    <div className="@container">
      <p className="mb-1 font-medium text-muted text-sm">{t('positions')}</p>
      {/* The numbered labels name the fields. */}
      {positions.length > 0 && (
        <div
          aria-hidden="true"
          className={`mb-1 flex justify-between gap-2 text-muted text-xs @3xs:grid ${columns}`}
        >
          <span>{t('positionTitle')}</span>
          <span className="text-right">{t('positionAmount')}</span>
        </div>
      )}
      <ul ref={list} className="grid gap-2">
        {positions.map(({ key, title, amount }, index) => {
          const titleFault = faults[`positions.${index}.title`];
          const amountFault = faults[`positions.${index}.amount`];
          return (
            <li key={key}>
              <div className={`grid gap-2 ${columns}`}>
                {/* No names: Enter before the script is there would put the values into the
                    address. */}
                <input
                  aria-label={`${t('positionTitle')} ${index + 1}`}
                  dir="auto"
                  value={title}
                  onChange={(event) => edit(key, { title: event.target.value })}
                  maxLength={INVOICE_LIMITS.title}
                  data-field="title"
                  aria-invalid={titleFault ? true : undefined}
                  aria-describedby={titleFault ? `position-${key}-fault` : undefined}
                  className={`${INPUT} @max-3xs:col-span-full`}
                />
                <input
                  aria-label={`${t('positionAmount')} ${index + 1}, ${currency}`}
                  placeholder={numberFormat(locale, { minimumFractionDigits: 2 }).format(0)}
                  inputMode="decimal"
                  value={amount}
                  onChange={(event) => edit(key, { amount: event.target.value })}
                  data-field="amount"
                  aria-invalid={amountFault ? true : undefined}
                  aria-describedby={amountFault ? `position-${key}-fault` : undefined}
                  className={`${INPUT} text-right`}
                />
                <button
                  type="button"
                  aria-label={`${t('removePosition')} ${index + 1}`}
                  onClick={(event) => {
                    // Only a key press moves the focus: a tap would bring up the phone's keyboard.
                    if (event.detail === 0) focusBeside(event.currentTarget, adds.current);
                    onChange({ positions: positions.filter((each) => each.key !== key) });
                  }}
                  className="grid place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
                >
                  <CrossIcon className="size-4" />
                </button>
              </div>
              <FieldFault
                id={`position-${key}-fault`}
                text={positionFault(titleFault, amountFault, t)}
              />
            </li>
          );
        })}
      </ul>
      <button
        ref={adds}
        type="button"
        disabled={positions.length >= INVOICE_LIMITS.positions}
        onClick={add}
        className="button button-plain button-compact mt-2"
      >
        {t('addPosition')}
      </button>
    </div>
  );
}
