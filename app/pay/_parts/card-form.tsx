'use client';

import { type SubmitEvent, useActionState, useEffect, useRef, useState } from 'react';
import { LockIcon, Spinner } from '#app/_ui/icons.tsx';
import type { PayMessages } from '../_i18n/en.ts';
import { pay } from '../[invoiceId]/actions.ts';
import { CardFields } from './card-fields.tsx';
import {
  CARD_FIELDS,
  type CardFaults,
  type CardField,
  type CardInput,
  checkCard,
  fieldFault,
} from './card-rules.ts';
import { FaultSummary } from './fault-summary.tsx';
import { EMPTY_FORM } from './form-state.ts';
import { Notice } from './pay-notice.tsx';
import { payingNow } from './paying-now.ts';

export type CardFormProps = {
  invoiceId: string;
  /** `Pay 15.00 USD` */
  payLabel: string;
  t: PayMessages['form'];
  faultTexts: PayMessages['faults'];
  noticeTexts: PayMessages['notices'];
  /** The server's clock when the page was made: it decides whether a card has expired. */
  nowMs: number;
};

const INPUT_NAMES: Record<CardField, string> = {
  number: 'cardNumber',
  expiry: 'expiryDate',
  securityCode: 'securityCode',
  name: 'nameOnCard',
};

function readForm(form: HTMLFormElement): CardInput {
  const data = new FormData(form);
  const entries = CARD_FIELDS.map((field) => [field, String(data.get(INPUT_NAMES[field]) ?? '')]);
  return Object.fromEntries(entries) as CardInput;
}

/** The faults that are shown: the browser's own finding, until the server has answered anew. */
function useFaults(serial: number, serverFaults: CardFaults) {
  const [local, setLocal] = useState<{ serial: number; faults: CardFaults } | null>(null);
  const faults = local?.serial === serial ? local.faults : serverFaults;
  return { faults, setFaults: (next: CardFaults) => setLocal({ serial, faults: next }) };
}

const SLOW_AFTER_MS = 5_000;

/** Whether `active` has lasted long enough for a word of patience. */
function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [active]);
  return slow;
}

function PayButton({
  label,
  busy,
  slow,
  t,
}: {
  label: string;
  busy: boolean;
  slow: boolean;
  t: CardFormProps['t'];
}) {
  return (
    <div className="space-y-3">
      <button type="submit" className="button button-primary button-large" disabled={busy}>
        {busy && <Spinner />}
        <span>{busy ? t.paying : label}</span>
      </button>
      <p role="status" className={slow ? 'text-center text-muted text-sm' : 'sr-only'}>
        {busy && (slow ? t.stillPaying : t.payingStatus)}
      </p>
    </div>
  );
}

/**
 * The card form. It posts to a server action, with JavaScript or without; the
 * script adds grouping, errors while typing and a button that says that it works.
 */
export function CardForm({
  invoiceId,
  payLabel,
  t,
  faultTexts,
  noticeTexts,
  nowMs,
}: CardFormProps) {
  const [state, action, pending] = useActionState(pay, EMPTY_FORM);
  const { faults, setFaults } = useFaults(state.serial, state.faults);
  const slow = useSlow(pending);
  const summary = useRef<HTMLDivElement>(null);
  const now = () => new Date(nowMs + performance.now());

  useEffect(() => {
    payingNow.current = pending;
  }, [pending]);

  // After an answer of the server's: to what it says, wherever that stands.
  useEffect(() => {
    if (state.serial === 0) return;
    const target = summary.current ?? document.getElementById('pay-notice');
    target?.focus();
  }, [state.serial]);

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    const checked = checkCard(readForm(event.currentTarget), now());
    const found = 'faults' in checked ? checked.faults : {};
    setFaults(found);
    if (!('faults' in checked)) return;
    event.preventDefault();
    // The summary may only now appear.
    requestAnimationFrame(() => summary.current?.focus());
  }

  function onChecked(field: CardField, text: string, done: boolean) {
    const fault = fieldFault(field, text, now());
    const known = field in faults;
    // Nothing is called wrong while it is being typed, nor for having been passed by empty.
    if (!known && (!done || text === '')) return;
    if (faults[field] === (fault ?? undefined)) return;
    const { [field]: _, ...others } = faults;
    setFaults(fault ? { ...others, [field]: fault } : others);
  }

  return (
    <form action={action} onSubmit={onSubmit} noValidate autoComplete="on" className="space-y-5">
      <input type="hidden" name="invoiceId" value={invoiceId} />
      <FaultSummary ref={summary} faults={faults} title={t.problems} texts={faultTexts} />
      {state.notice && !pending && <Notice text={noticeTexts[state.notice]} />}
      <CardFields
        t={t}
        faults={faults}
        faultTexts={faultTexts}
        name={state.name}
        serial={state.serial}
        busy={pending}
        onChecked={onChecked}
      />
      <PayButton label={payLabel} busy={pending} slow={slow} t={t} />
      <p className="text-balance text-center text-muted text-sm">
        <LockIcon className="mr-1.5 inline size-4 align-[-0.15em]" />
        {t.secure}
      </p>
    </form>
  );
}
