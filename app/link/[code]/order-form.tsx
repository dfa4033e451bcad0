import type { ComponentProps, ReactNode } from 'react';
import type { Translator } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import {
  LINK_LIMITS,
  type LinkField,
  type PaymentLink,
  type TypedOrder,
} from '#server/links/types.ts';
import { LargeAmount } from '../../pay/[invoiceId]/frame/large-amount.tsx';

type Props = {
  link: PaymentLink;
  /** Codes from the address: what was wrong with the order that was sent. */
  faults: string[];
  typed: TypedOrder;
  formKey: string;
  locale: Locale;
  t: Translator<'pay'>;
};

/** The fields' faults as texts; a code that nobody has is left out. */
function faultTexts({ link, faults, locale, t }: Props): Map<string, string> {
  const { price, currency, maxQuantity } = link;
  const money = (minor: bigint) => formatMoney(minor, currency, locale);
  const texts = {
    amount_missing: t('link.faults.amount_missing'),
    ...('leastMinor' in price && {
      amount_low: t('link.faults.amount_low', { least: money(price.leastMinor) }),
      amount_high: t('link.faults.amount_high', { greatest: money(price.greatestMinor) }),
    }),
    quantity_range: t('link.faults.quantity_range', { most: maxQuantity }),
    note_missing: t('link.faults.note_missing'),
    note_long: t('link.faults.note_long'),
    email_missing: t('link.faults.email_missing'),
    email_format: t('link.faults.email_format'),
    phone_missing: t('link.faults.phone_missing'),
    phone_format: t('link.faults.phone_format'),
    throttled: t('link.faults.throttled'),
    failed: t('link.faults.failed'),
  };
  return new Map(Object.entries(texts).filter(([code]) => faults.includes(code)));
}

type FieldProps = {
  name: keyof TypedOrder;
  label: string;
  hint?: string;
  fault: string | undefined;
} & Omit<ComponentProps<'input'>, 'name'>;

function Labelled({
  name,
  label,
  hint,
  fault,
  children,
}: Pick<FieldProps, 'name' | 'label' | 'hint' | 'fault'> & { children: ReactNode }) {
  return (
    <div>
      <label htmlFor={name} className="field-label">
        {label}
      </label>
      {children}
      {fault && (
        <p id={`${name}-error`} className="field-error">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${name}-hint`} className="mt-1.5 text-muted text-sm">
          {hint}
        </p>
      )}
    </div>
  );
}

function described({ name, hint, fault }: Pick<FieldProps, 'name' | 'hint' | 'fault'>) {
  const told = [fault && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return {
    id: name,
    name,
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': told || undefined,
  };
}

function Field({ label, hint, fault, className = '', ...input }: FieldProps) {
  const { name } = input;
  return (
    <Labelled {...{ name, label, hint, fault }}>
      <input
        {...input}
        {...described({ name, hint, fault })}
        className={`field-input ${className}`}
      />
    </Labelled>
  );
}

/** What the buyer pays, or types to pay. */
function Price({ link, typed, locale, t, texts }: Props & { texts: Map<string, string> }) {
  const { price, currency, maxQuantity } = link;
  const money = (minor: bigint) => formatMoney(minor, currency, locale);
  if ('leastMinor' in price) {
    const codes = ['amount_missing', 'amount_low', 'amount_high'];
    return (
      <Field
        name="amount"
        label={t('link.amount', { currency })}
        hint={t('link.bounds', {
          least: money(price.leastMinor),
          greatest: money(price.greatestMinor),
        })}
        fault={codes.map((code) => texts.get(code)).find(Boolean)}
        defaultValue={typed.amount}
        inputMode="decimal"
        autoComplete="off"
        required
        className="!min-h-14 !text-3xl font-semibold"
      />
    );
  }
  const amount = money(price.amountMinor);
  if (maxQuantity === 1) return null;
  return (
    <Field
      name="quantity"
      type="number"
      label={t('link.quantity')}
      hint={`${t('link.each', { amount })} · ${t('link.most', { count: maxQuantity })}`}
      fault={texts.get('quantity_range')}
      defaultValue={typed.quantity || '1'}
      min={1}
      max={maxQuantity}
      required
    />
  );
}

/** The fields that the merchant asks for. */
function Asked({ link, typed, t, texts }: Props & { texts: Map<string, string> }) {
  const labelOf = (field: LinkField, label: string): string =>
    field === 'required' ? label : t('link.optional', { field: label });
  const faultOf = (...codes: string[]) => codes.map((code) => texts.get(code)).find(Boolean);
  const noteFault = faultOf('note_missing', 'note_long');
  return (
    <>
      {link.asksNote !== 'off' && (
        <Labelled name="note" label={labelOf(link.asksNote, t('link.note'))} fault={noteFault}>
          <textarea
            {...described({ name: 'note', fault: noteFault })}
            rows={2}
            maxLength={LINK_LIMITS.note}
            required={link.asksNote === 'required'}
            defaultValue={typed.note}
            className="field-input"
          />
        </Labelled>
      )}
      {link.asksEmail !== 'off' && (
        <Field
          name="email"
          type="email"
          label={labelOf(link.asksEmail, t('link.email'))}
          fault={faultOf('email_missing', 'email_format')}
          defaultValue={typed.email}
          maxLength={254}
          autoComplete="email"
          required={link.asksEmail === 'required'}
        />
      )}
      {link.asksPhone !== 'off' && (
        <Field
          name="phone"
          type="tel"
          label={labelOf(link.asksPhone, t('link.phone'))}
          fault={faultOf('phone_missing', 'phone_format')}
          defaultValue={typed.phone}
          maxLength={30}
          autoComplete="tel"
          required={link.asksPhone === 'required'}
        />
      )}
    </>
  );
}

/** The order at a link: its answer is the payment page of an invoice of its own. */
export function OrderForm(props: Props) {
  const { link, formKey, locale, t } = props;
  const { price, currency, code, title, description } = link;
  const texts = faultTexts(props);
  return (
    <div className="card space-y-6 p-[min(1.25rem,5vw)] sm:p-8">
      {texts.size > 0 && (
        <div role="alert" className="rounded-lg bg-negative-soft p-4 text-[0.9375rem]">
          <p className="font-semibold text-negative">{t('form.problems')}</p>
          <ul>
            {[...texts.values()].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <h1 className="wrap-anywhere font-semibold text-xl tracking-tight">
          <bdi>{title}</bdi>
        </h1>
        {description && (
          <p className="wrap-anywhere mt-2 whitespace-pre-line text-pretty text-muted">
            <bdi>{description}</bdi>
          </p>
        )}
        {'amountMinor' in price && (
          <LargeAmount amount={formatMoney(price.amountMinor, currency, locale)} />
        )}
      </div>
      <form method="post" action={`/link/${code}/order`} className="space-y-5">
        <input type="hidden" name="formKey" value={formKey} />
        <Price {...props} texts={texts} />
        <Asked {...props} texts={texts} />
        <button type="submit" className="button button-primary button-large">
          {t('link.submit')}
        </button>
      </form>
    </div>
  );
}
