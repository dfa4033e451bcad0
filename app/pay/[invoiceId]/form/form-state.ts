import type { DeclineReason } from '#server/payments/types.ts';
import type { CardFaults, CardField } from './card-rules.ts';

/** `lost` and `outdated` are the script's own: no answer came, or that the page is of another build. */
export type PayNotice =
  | 'notStarted'
  | 'unclear'
  | 'in_progress'
  | 'throttled'
  | 'lost'
  | 'outdated';

/** What the pay action answers to the form. Never anything of the card but its holder's name. */
export type PayFormState = {
  /** Grows with every answer: what the form's effects watch. */
  serial: number;
  name: string;
  email: string;
  faults: CardFaults;
  notice: PayNotice | null;
  /** Minutes; of `throttled` alone. */
  waitMin?: number;
  /** What the buyer has to type anew; the rest stays in the browser's own fields. */
  emptied: readonly CardField[];
};

/** What is emptied after any answer that does not say otherwise. */
export const SECRETS: readonly CardField[] = ['number', 'expiry', 'securityCode'];

// Where the same card may do. Its code is asked for again: nobody pays twice by one press more.
const EMPTIED_AFTER: Partial<Record<DeclineReason, readonly CardField[]>> = {
  incorrect_cvc: ['securityCode'],
  expired_card: ['expiry', 'securityCode'],
  processing_error: ['securityCode'],
};

/** What the form's script empties after an attempt; `reason` is null where it was not declined. */
export function emptiedAfter(reason: DeclineReason | null): readonly CardField[] {
  return (reason && EMPTIED_AFTER[reason]) ?? SECRETS;
}

export const EMPTY_FORM: PayFormState = {
  serial: 0,
  name: '',
  email: '',
  faults: {},
  notice: null,
  emptied: [],
};
