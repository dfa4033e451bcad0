'use client';

import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ErrorCode } from '#server/lib/errors.ts';
import { SELLER_FIELDS, type SellerDetails } from '#server/merchants/types.ts';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';

type Field = keyof SellerDetails;

const FIELD_OF: Partial<Record<ErrorCode, Field>> = {
  legal_name_invalid: 'legalName',
  tax_number_characters: 'taxNumber',
  tax_number_digits: 'taxNumber',
  tax_number_check: 'taxNumber',
  legal_address_invalid: 'legalAddress',
  email_invalid: 'supportEmail',
  email_unusual: 'supportEmail',
  support_phone_invalid: 'supportPhone',
  support_telegram_invalid: 'supportTelegram',
  terms_url_invalid: 'termsUrl',
  policy_url_invalid: 'refundPolicyUrl',
};

/** A field that the server refused, and why. */
export type SellerFault = { field: Field; text: string };

/** The field that a refusal is about; null for any other refusal. */
export function sellerFault(code: ErrorCode | null, text: string): SellerFault | null {
  const field = code && FIELD_OF[code];
  return field ? { field, text } : null;
}

const KINDS: Partial<Record<Field, ComponentProps<'input'>>> = {
  legalName: { autoComplete: 'organization' },
  taxNumber: { spellCheck: false, autoComplete: 'off' },
  legalAddress: { autoComplete: 'street-address' },
  supportEmail: { inputMode: 'email', autoComplete: 'email', placeholder: 'help@example.com' },
  supportPhone: { inputMode: 'tel', autoComplete: 'tel', placeholder: '+998 71 200 00 00' },
  supportTelegram: { spellCheck: false, autoComplete: 'off', placeholder: '@example_help' },
  termsUrl: { inputMode: 'url', autoComplete: 'off', placeholder: 'https://' },
  refundPolicyUrl: { inputMode: 'url', autoComplete: 'off', placeholder: 'https://' },
};

const HINTS: Partial<Record<Field, 'legalNameHint' | 'taxNumberHint'>> = {
  legalName: 'legalNameHint',
  taxNumber: 'taxNumberHint',
};

const WIDE: readonly Field[] = ['legalName', 'legalAddress'];

/** What buyers are told of who gets their money. */
export function SellerFields({
  shown,
  fault,
  onChange,
}: {
  shown: SellerDetails;
  fault: SellerFault | null;
  onChange: (part: Partial<SellerDetails>) => void;
}) {
  const t = useTranslations('dashboard.settings.seller');
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      {SELLER_FIELDS.map((field) => {
        const wrong = fault?.field === field ? fault.text : undefined;
        const hint = HINTS[field];
        const described = [wrong && `${field}-fault`, hint && `${field}-hint`];
        return (
          <FormField
            key={field}
            id={field}
            label={t(field)}
            hint={hint && t(hint)}
            className={`min-w-0 ${WIDE.includes(field) ? 'sm:col-span-2' : ''}`}
          >
            <input
              {...KINDS[field]}
              id={field}
              name={field}
              maxLength={500}
              value={shown[field] ?? ''}
              onChange={(event) => onChange({ [field]: event.target.value || null })}
              aria-invalid={wrong ? true : undefined}
              aria-describedby={described.filter(Boolean).join(' ') || undefined}
              className={INPUT}
            />
            <FieldFault id={`${field}-fault`} text={wrong} />
          </FormField>
        );
      })}
    </div>
  );
}
