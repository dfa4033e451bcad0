'use client';

import {
  type SubmitEvent,
  startTransition,
  useActionState,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { LockIcon } from '#app/_ui/icons.tsx';
import type { Messages } from '#server/i18n/translator.ts';
import { pay } from '../actions.ts';
import { pageClock } from '../live/server-clock.ts';
import { CardFields, type EmailWords } from './card-fields.tsx';
import {
  CARD_FIELDS,
  type CardFaults,
  type CardField,
  type CardInput,
  checkCard,
  fieldFault,
  INPUT_NAMES,
} from './card-rules.ts';
import { answered, noticeOfFailedCall } from './failed-call.ts';
import { FaultSummary } from './fault-summary.tsx';
import { EMPTY_FORM, type PayFormState, type PayNotice, SECRETS } from './form-state.ts';
import { PayButton } from './pay-button.tsx';
import { Notice } from './pay-notice.tsx';
import { payingNow } from './paying-now.ts';

export type CardFormProps = {
  invoiceId: string;
  /** `Pay $15.00` */
  payLabel: string;
  t: Messages['pay']['form'];
  faultTexts: Messages['pay']['faults'];
  noticeTexts: Messages['pay']['notices'];
  /** The server's clock when the page was made: it decides whether a card has expired. */
  nowMs: number;
  /** The words of the field for an e-mail address; null where none is offered. */
  emailWords: EmailWords | null;
  /** The address that the buyer last typed. */
  email: string;
  /** The version of the state on the page. */
  version: string;
};

function readForm(form: HTMLFormElement): CardInput {
  const data = new FormData(form);
  const entries = CARD_FIELDS.map((field) => [field, String(data.get(INPUT_NAMES[field]) ?? '')]);
  return Object.fromEntries(entries) as CardInput;
}

/** The action as the script calls it: a lost connection is an answer, not an exception. */
async function payOrTell(previous: PayFormState, form: FormData): Promise<PayFormState> {
  try {
    return await answered(pay(previous, form));
  } catch (error) {
    const notice = noticeOfFailedCall(error);
    const name = String(form.get(INPUT_NAMES.name) ?? '');
    const email = String(form.get(INPUT_NAMES.email) ?? '');
    // A lost connection may be over at the next press of the button. An outdated page sent nothing,
    // and its input can still be read while the new page is opened beside it.
    const emptied = notice === 'lost' || notice === 'outdated' ? [] : SECRETS;
    return { serial: previous.serial + 1, name, email, faults: {}, notice, emptied };
  }
}

/** The visible faults: the browser's own, until the server has answered anew. */
function useFaults(serial: number, serverFaults: CardFaults) {
  const [local, setLocal] = useState<{ serial: number; faults: CardFaults } | null>(null);
  const faults = local?.serial === serial ? local.faults : serverFaults;
  return { faults, setFaults: (next: CardFaults) => setLocal({ serial, faults: next }) };
}

/** The answer's notice, until the page shows a later state, which is better informed. */
function useNotice({ serial, notice }: PayFormState, version: string): PayNotice | null {
  const [told, setTold] = useState({ serial, version });
  if (told.serial !== serial) setTold({ serial, version });
  return told.version === version ? notice : null;
}

/** Empties the fields to type anew after a server's answer, and moves to its message. */
function useAnswer(state: PayFormState) {
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.serial === 0) return;
    for (const field of state.emptied) {
      const input = form.current?.elements.namedItem(INPUT_NAMES[field]);
      if (input instanceof HTMLInputElement) input.value = '';
    }
    const target = summary.current ?? told.current ?? document.getElementById('pay-notice');
    target?.focus();
  }, [state]);
  return { form, summary, told };
}

/**
 * The card form. Without JavaScript it posts to the server action; the script
 * calls the same action itself, and adds grouping, errors while typing and a
 * button that says that it works.
 */
export function CardForm(props: CardFormProps) {
  const { invoiceId, payLabel, t, faultTexts, noticeTexts, nowMs, version } = props;
  const [posted, postAction] = useActionState(pay, EMPTY_FORM);
  const [state, dispatch, pending] = useActionState(payOrTell, posted);
  const { faults, setFaults } = useFaults(state.serial, state.faults);
  const { form, summary, told } = useAnswer(state);
  const notice = useNotice(state, version);
  const clock = useMemo(() => pageClock(nowMs), [nowMs]);
  const now = () => new Date(clock());

  useEffect(() => {
    payingNow.current = pending;
    return () => {
      payingNow.current = false;
    };
  }, [pending]);

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const checked = checkCard(readForm(event.currentTarget), now());
    setFaults('faults' in checked ? checked.faults : {});
    if ('faults' in checked) {
      // The summary may only now appear.
      requestAnimationFrame(() => summary.current?.focus());
      return;
    }
    const data = new FormData(event.currentTarget);
    startTransition(() => dispatch(data));
  }

  function onChecked(field: CardField, text: string, done: boolean) {
    const fault = fieldFault(field, text, now());
    const known = field in faults;
    // No field is called wrong while it is typed in, or because it was left empty.
    if (!known && (!done || text === '')) return;
    if (faults[field] === (fault ?? undefined)) return;
    const { [field]: _, ...others } = faults;
    setFaults(fault ? { ...others, [field]: fault } : others);
  }

  return (
    <form
      ref={form}
      action={postAction}
      onSubmit={onSubmit}
      noValidate
      data-newer={notice !== null || undefined}
      className="space-y-3.5 sm:space-y-5"
    >
      <input type="hidden" name="invoiceId" value={invoiceId} />
      <FaultSummary ref={summary} faults={faults} title={t.problems} texts={faultTexts} />
      {notice && !pending && (
        <Notice ref={told} notice={notice} waitMin={state.waitMin} texts={noticeTexts} />
      )}
      <CardFields
        t={t}
        faults={faults}
        faultTexts={faultTexts}
        name={state.name}
        emailWords={props.emailWords}
        email={state.email || props.email}
        emptied={state.emptied}
        busy={pending}
        onChecked={onChecked}
      />
      <PayButton label={payLabel} busy={pending} t={t} />
      <p className="text-balance text-center text-muted text-sm">
        <LockIcon className="mr-1.5 inline size-4 align-[-0.15em]" />
        {t.secure}
      </p>
    </form>
  );
}
