import type { CardFaults } from './card-rules.ts';

/** What the pay action answers to the form. Never anything of the card but its holder's name. */
export type PayFormState = {
  /** Grows with every answer: what the form's effects watch. */
  serial: number;
  name: string;
  faults: CardFaults;
  notice: 'notStarted' | 'unclear' | 'refused' | 'in_progress' | 'lost' | null;
};

export const EMPTY_FORM: PayFormState = { serial: 0, name: '', faults: {}, notice: null };
