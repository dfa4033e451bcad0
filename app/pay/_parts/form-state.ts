import type { CardFaults } from './card-rules.ts';

/** `lost` and `outdated` are the script's own: no answer came, or that the page is of another build. */
export type PayNotice = 'notStarted' | 'unclear' | 'refused' | 'in_progress' | 'lost' | 'outdated';

/** What the pay action answers to the form. Never anything of the card but its holder's name. */
export type PayFormState = {
  /** Grows with every answer: what the form's effects watch. */
  serial: number;
  name: string;
  faults: CardFaults;
  notice: PayNotice | null;
};

export const EMPTY_FORM: PayFormState = { serial: 0, name: '', faults: {}, notice: null };
