'use client';

import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { PageLink } from '#app/_ui/page-link.tsx';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { isUnanswered, messageOf, refusedFor, valuesOf } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { FieldFault } from '../../../_shared/forms/field-fault.tsx';
import { FormField } from '../../../_shared/forms/form-field.tsx';
import { useUnsaved } from '../../../_shared/forms/unsaved.ts';
import { useCall } from '../../../_shared/forms/use-call.ts';
import { useFaultFocus } from '../../../_shared/forms/use-fault-focus.ts';
import { HookHero } from './hook-hero.tsx';

// No acquirer has a value of this name.
const NAME = 'name';

/** A value that the acquirer wants, in the reader's words. */
export type CredentialInput = {
  name: string;
  label: string;
  hint: string;
  isRequired: boolean;
  isSecret: boolean;
  preset: string;
};

type Props = {
  environment: Environment;
  provider: string;
  /** The acquirer's name. */
  title: string;
  inputs: readonly CredentialInput[];
  hookPlace: string | undefined;
  /** Where the list of accounts is. */
  list: string;
};

/** A field that was refused, and why. */
type Refused = { name: string; why: 'missing' | 'invalid' | 'misplaced' | { text: string } };

/** Which field a refusal is about, or null where it is about none. */
function refusedField(error: unknown): Refused | null {
  const name = String(valuesOf(error).name);
  switch (refusedFor(error)) {
    case 'credential_missing':
      return { name, why: 'missing' };
    case 'credential_invalid':
      return { name, why: 'invalid' };
    case 'credential_misplaced':
      return { name, why: 'misplaced' };
    case 'acquirer_name_invalid':
      return { name: NAME, why: { text: messageOf(error) } };
    default:
      return null;
  }
}

function Field({
  input,
  fault,
  onInput,
}: {
  input: CredentialInput;
  fault: string | undefined;
  onInput: () => void;
}) {
  const id = `connect-${input.name}`;
  const faultId = `${id}-refused`;
  return (
    <FormField id={id} label={input.label} hint={input.hint}>
      <CheckedInput
        id={id}
        name={input.name}
        type={input.isSecret ? 'password' : 'text'}
        // A browser would fill in the password of the dashboard.
        autoComplete={input.isSecret ? 'new-password' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        required={input.isRequired}
        maxLength={500}
        defaultValue={input.preset}
        onChange={onInput}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${faultId} ${id}-hint` : `${id}-hint`}
      />
      <FieldFault id={faultId} text={fault} />
    </FormField>
  );
}

/** Takes the values of a merchant's account at an acquirer; then shows the address for it. */
export function ConnectForm({ environment, provider, title, inputs, hookPlace, list }: Props) {
  const t = useTranslations('acquirers.form');
  const [made, setMade] = useState<{ name: string; hookUrl: string } | null>(null);
  const [isTyped, setTyped] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [isLost, setLost] = useState(false);
  useUnsaved(isTyped && made === null ? t('unsaved') : null);
  const form = useFaultFocus(refused?.name ?? null);
  const { call, isBusy, fault } = useCall((error) => {
    setLost(isUnanswered(error));
    const field = refusedField(error);
    setRefused(field);
    if (isUnanswered(error)) return t('lost');
    return field ? null : messageOf(error);
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const textOf = (name: string) => String(fields.get(name) ?? '');
    setRefused(null);
    void call(async () => {
      const account = await dashboardClient(environment).acquirers.connect.mutate({
        provider,
        name: textOf(NAME),
        credentials: Object.fromEntries(inputs.map(({ name }) => [name, textOf(name)])),
      });
      setMade(account);
    });
  };

  const inWords = ({ why }: Refused) => {
    if (typeof why !== 'string') return why.text;
    if (why !== 'misplaced') return t(why, { acquirer: title });
    return t(environment === 'sandbox' ? 'needsTest' : 'needsLive', { acquirer: title });
  };
  const named: CredentialInput = {
    name: NAME,
    label: t('name'),
    hint: t('nameHint'),
    isRequired: true,
    isSecret: false,
    preset: title,
  };
  if (made) return <HookHero {...made} hookPlace={hookPlace} list={list} />;
  return (
    <ScriptForm ref={form} className="card max-w-2xl p-5" onSubmit={submit}>
      <fieldset className="grid min-w-0 grid-cols-1 gap-5">
        <legend className="mb-2 font-semibold">{t('values', { acquirer: title })}</legend>
        <p className="text-muted text-sm">
          {environment === 'sandbox' && `${t('sandboxOnly')} `}
          {t('sealed')}
        </p>
        {[...inputs, named].map((input) => (
          <Field
            key={input.name}
            input={input}
            fault={refused?.name === input.name ? inWords(refused) : undefined}
            onInput={() => {
              setTyped(true);
              setRefused(null);
            }}
          />
        ))}
        <div role="alert" className="empty:hidden">
          {fault && <p className="field-error">{fault}</p>}
          {fault && isLost && (
            <PageLink href={list} className="link">
              {t('toList')}
            </PageLink>
          )}
        </div>
        <div>
          <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
            {t('submit', { acquirer: title })}
          </BusyButton>
        </div>
      </fieldset>
    </ScriptForm>
  );
}
