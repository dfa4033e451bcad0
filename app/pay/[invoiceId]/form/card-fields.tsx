'use client';

import {
  type ChangeEvent,
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import type { Messages } from '#server/i18n/translator.ts';
import { foldCode } from '#server/lib/typed-text.ts';
import { brandOf } from '#server/payments/brand.ts';
import type { CardBrand } from '#server/payments/types.ts';
import { BrandMark } from './brand-mark.tsx';
import { type CardFaults, type CardField, INPUT_NAMES } from './card-rules.ts';
import { caretAfter, formatExpiry, groupNumber } from './field-formats.ts';
import { FoldedOnPhone } from './folded-on-phone.tsx';

type FieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  id: CardField;
  label: string;
  hint?: string;
  error?: string;
  /** The content at the end of the label's line. */
  aside?: ReactNode;
  isOptional?: boolean;
  /** Whether a phone, which has no room for the hint, only reads it aloud. */
  isHintHeard?: boolean;
};

/** A labelled input with its error beside it; ids follow from the field's. */
function Field({
  id,
  label,
  hint,
  error,
  aside,
  isOptional = false,
  isHintHeard = false,
  ...input
}: FieldProps) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="min-w-0">
      <div className="flex flex-wrap justify-between gap-x-3">
        <label htmlFor={id} className="field-label">
          {label}
        </label>
        {aside}
      </div>
      <input
        id={id}
        type="text"
        className="field-input max-sm:min-h-11 max-sm:py-1.5"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        aria-required={!isOptional}
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        {...input}
      />
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {hint && (
        <p
          id={`${id}-hint`}
          className={`mt-1.5 text-balance text-muted text-sm ${isHintHeard ? 'max-sm:sr-only' : ''}`}
        >
          {hint}
        </p>
      )}
    </div>
  );
}

// The inputs are not controlled: what a buyer types before the script has
// arrived stays, and a card number never enters React's state.
function onNumberInput(event: ChangeEvent<HTMLInputElement>): CardBrand {
  const input = event.currentTarget;
  const caret = input.selectionStart ?? input.value.length;
  const digitsBefore = foldCode(input.value.slice(0, caret)).length;
  // Letters stay and are a fault; they would vanish without a word otherwise.
  if (!/\D/.test(foldCode(input.value))) {
    input.value = groupNumber(input.value);
    const position = caretAfter(input.value, digitsBefore);
    input.setSelectionRange(position, position);
  }
  return brandOf(foldCode(input.value));
}

function onExpiryInput(event: ChangeEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  const { inputType = '' } = event.nativeEvent as InputEvent;
  const atEnd = input.selectionStart === input.value.length;
  if (atEnd) input.value = formatExpiry(input.value, inputType.startsWith('delete'));
}

/** The words of the field for an e-mail address. */
export type EmailWords = { label: string; optional: string; hint: string };

export type CardFieldsProps = {
  emailWords: EmailWords | null;
  email: string;
  t: Messages['pay']['form'];
  faults: CardFaults;
  faultTexts: Messages['pay']['faults'];
  /** The holder's name of the last try; everything else starts empty. */
  name: string;
  /** The fields that the last answer empties; each answer has a new list. */
  emptied: readonly CardField[];
  busy: boolean;
  /** `done` when the buyer has left the field. */
  onChecked: (field: CardField, text: string, done: boolean) => void;
};

export function CardFields(props: CardFieldsProps) {
  const { t, faults, faultTexts, name, emailWords, email, emptied, busy, onChecked } = props;
  const [brand, setBrand] = useState<CardBrand>('unknown');
  useEffect(() => {
    if (emptied.includes('number')) setBrand('unknown');
  }, [emptied]);

  const common = (field: CardField) => {
    const fault = faults[field];
    return {
      id: field,
      name: INPUT_NAMES[field],
      error: fault && faultTexts[fault],
      readOnly: busy,
      onBlur: ({ target }: FocusEvent<HTMLInputElement>) => {
        // A message here moves the button away from under a press that is about to be a click,
        // which checks all fields. Firefox calls the button active only after the focus has left.
        const press = target.form?.querySelector('[type=submit]:is(:active, :hover)');
        if (!press) onChecked(field, target.value, true);
      },
    };
  };
  const typed = (field: CardField) => (event: ChangeEvent<HTMLInputElement>) =>
    onChecked(field, event.currentTarget.value, false);

  return (
    <div className="space-y-3 sm:space-y-5">
      <Field
        {...common('number')}
        label={t.number}
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="0000 0000 0000 0000"
        onChange={(event) => {
          setBrand(onNumberInput(event));
          typed('number')(event);
        }}
        aside={
          // The marks stay outside the field, where they would cover the number on a narrow phone.
          <span className="mb-1.5 flex items-center gap-1.5 text-muted">
            <BrandMark brand="visa" dim={brand !== 'visa' && brand !== 'unknown'} />
            <BrandMark brand="mastercard" dim={brand !== 'mastercard' && brand !== 'unknown'} />
          </span>
        }
      />
      <div className="grid gap-x-3 gap-y-3 min-[20rem]:grid-cols-2 sm:gap-x-5 sm:gap-y-5">
        <Field
          {...common('expiry')}
          label={t.expiry}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder={t.expiryHint}
          onChange={(event) => {
            onExpiryInput(event);
            typed('expiry')(event);
          }}
        />
        <Field
          {...common('securityCode')}
          label={t.securityCode}
          hint={t.securityCodeHint}
          isHintHeard
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="CVC"
          onChange={typed('securityCode')}
        />
      </div>
      <Field
        {...common('name')}
        label={t.name}
        autoComplete="cc-name"
        autoCapitalize="words"
        defaultValue={name}
        onChange={typed('name')}
      />
      {emailWords && (
        <FoldedOnPhone words={emailWords} isOpen={email !== '' || faults.email !== undefined}>
          <Field
            {...common('email')}
            label={emailWords.label}
            aside={<span className="mb-1.5 text-muted text-sm">{emailWords.optional}</span>}
            hint={emailWords.hint}
            isOptional
            inputMode="email"
            autoComplete="email"
            maxLength={254}
            defaultValue={email}
            onChange={typed('email')}
          />
        </FoldedOnPhone>
      )}
    </div>
  );
}
