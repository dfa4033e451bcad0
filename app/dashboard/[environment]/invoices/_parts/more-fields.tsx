'use client';

import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Locale } from '#server/lib/locales.ts';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { type Draft, type Faults, FIELDS, type TextName } from './invoice-draft.ts';
import { PositionFields } from './position-fields.tsx';

/** How a phone's keyboard helps with a field. */
type Keyboard = Pick<ComponentProps<'input'>, 'autoCapitalize' | 'spellCheck' | 'inputMode'>;
const AS_TYPED: Keyboard = { autoCapitalize: 'none', spellCheck: false };
const ADDRESS: Keyboard = { ...AS_TYPED, inputMode: 'url' };

/** The periods for which a link can be paid. */
const PERIODS = [
  { unit: 'hours', count: 1 },
  { unit: 'hours', count: 24 },
  { unit: 'days', count: 3 },
  { unit: 'days', count: 7 },
  { unit: 'days', count: 30 },
] as const;

type Fields = { draft: Draft; faults: Faults; onChange: (part: Partial<Draft>) => void };

/** A text of the draft, with its fault. */
export function TextField({
  name,
  label,
  hint,
  draft,
  faults,
  onChange,
  ...input
}: Fields & Keyboard & { name: TextName; label: string; hint?: string }) {
  const fault = faults[FIELDS[name].wire];
  return (
    <div>
      <FormField id={name} label={label} hint={hint}>
        <input
          id={name}
          dir="auto"
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${name}-fault` : hint && `${name}-hint`}
          maxLength={FIELDS[name].most}
          {...input}
          className={INPUT}
        />
      </FormField>
      <FieldFault id={`${name}-fault`} text={fault} />
    </div>
  );
}

/** What a link can have besides its amount and title. */
export function MoreFields({ locale, ...fields }: Fields & { locale: Locale }) {
  const t = useTranslations('dashboard.create');
  const { draft, onChange } = fields;
  const addresses = [
    ['successUrl', t('successUrlHint')],
    ['errorUrl', t('errorUrlHint')],
    ['callbackUrl', t('callbackUrlHint')],
  ] as const;
  return (
    <div className="grid grid-cols-1 gap-5 pt-4">
      <FormField id="hours" label={t('payableFor')}>
        <select
          id="hours"
          value={draft.hours}
          onChange={(event) => onChange({ hours: Number(event.target.value) })}
          className={INPUT}
        >
          {PERIODS.map(({ unit, count }) => (
            <option key={`${count} ${unit}`} value={unit === 'days' ? count * 24 : count}>
              {t(unit, { count })}
            </option>
          ))}
        </select>
      </FormField>
      <PositionFields locale={locale} {...fields} />
      <TextField
        name="reference"
        label={t('reference')}
        hint={t('referenceHint')}
        {...AS_TYPED}
        {...fields}
      />
      {addresses.map(([name, hint]) => (
        <TextField key={name} name={name} label={t(name)} hint={hint} {...ADDRESS} {...fields} />
      ))}
    </div>
  );
}
