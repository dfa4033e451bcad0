'use client';

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { NewMerchantView } from '#server/trpc/rows.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { dashboardClient } from '../../dashboard/_shared/client.ts';
import { CopyButton } from '../../dashboard/_shared/copy-button.tsx';
import { isUnanswered, messageOf } from '../../dashboard/_shared/failure-text.ts';
import { BusyButton } from '../../dashboard/_shared/forms/busy-button.tsx';
import { LabelledInput } from '../../dashboard/_shared/forms/labelled-input.tsx';
import { useNearbyFocus } from '../../dashboard/_shared/forms/use-nearby-focus.ts';
import { OwnPassword } from './own-password.tsx';

type Made = NewMerchantView;

type SecretProps = { name: string; value: string; of?: string };

/** @param props.of the secret's owner, where others have the same name */
function Secret({ name, value, of }: SecretProps) {
  const t = useTranslations('operator.merchant');
  return (
    <div className="py-3">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0 flex-1 basis-64 break-all font-mono text-sm">{value}</span>
        <CopyButton
          text={value}
          label={t('copy')}
          done={t('copied')}
          of={of ? `${of}, ${name}` : name}
        />
      </dd>
    </div>
  );
}

/** Secrets that are shown only once: they take the focus, because the form that had it is gone. */
function Credentials({
  made,
  timeZone,
  again,
}: {
  made: Made;
  timeZone: string;
  again: () => void;
}) {
  const t = useTranslations('operator');
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const focus = useNearbyFocus();
  useEffect(() => section.current?.focus(), []);
  const startAgain = () => {
    focus.begin();
    again();
  };
  const { email, link } = made.owner;
  const title = `${isolated(made.name)} ${t('create.done')}`;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={title}
      aria-describedby={`${id}-once`}
      className="grid gap-5"
    >
      <div className="rounded-xl border border-caution-line bg-caution-soft p-4">
        <p className="font-semibold">{title}</p>
        <p id={`${id}-once`}>{t('create.once')}</p>
      </div>
      <section className="card p-5">
        <h2 className="font-semibold">{t('create.owner')}</h2>
        <dl className="divide-y divide-line">
          <Secret name={t('merchant.id')} value={made.merchantId} />
          <Secret name={t('create.email')} value={email} />
          {link?.url && <Secret name={t('create.link')} value={link.url} />}
        </dl>
        <OwnPassword link={link} timeZone={timeZone} />
      </section>
      {(['sandbox', 'production'] as const).map((environment) => {
        const { baseUrl, apiToken, webhookSecret } = made[environment];
        const of = t(`merchants.${environment}`);
        return (
          <section key={environment} className="card p-5">
            <h2 className="font-semibold">{of}</h2>
            <dl className="divide-y divide-line">
              <Secret name={t('create.baseUrl')} value={baseUrl} of={of} />
              <Secret name={t('create.token')} value={apiToken} of={of} />
              <Secret name={t('create.secret')} value={webhookSecret} of={of} />
            </dl>
          </section>
        );
      })}
      <div className="flex flex-wrap gap-2">
        <a href={`/operator/merchants/${made.merchantId}`} className="button button-primary">
          {t('create.open')}
        </a>
        <button type="button" className="button button-plain" onClick={startAgain}>
          {t('create.another')}
        </button>
      </div>
    </section>
  );
}

/** No answer came: the merchant may exist, though nobody sees its secrets. */
function MaybeMade({ email }: { email: string }) {
  const t = useTranslations('operator.create');
  return (
    <p>
      <span className="field-error">{t('lost')}</span> {t('lostFound')}{' '}
      <a href={`/operator/merchants?${new URLSearchParams({ q: email })}`} className="link">
        {t('look')}
      </a>
    </p>
  );
}

/** @param props.chosen the operator's own zone, which most of their merchants share */
function ZoneField({ zones, chosen }: { zones: string[]; chosen: string }) {
  const t = useTranslations('operator.create');
  return (
    <div>
      <label className="field-label" htmlFor="merchant-zone">
        {t('zone')}
      </label>
      <select
        id="merchant-zone"
        name="zone"
        defaultValue={chosen}
        aria-describedby="merchant-zone-hint"
        className="field-input"
      >
        {zones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </select>
      <p id="merchant-zone-hint" className="mt-1.5 text-muted text-sm">
        {t('zoneHint')}
      </p>
    </div>
  );
}

/** Makes a merchant and shows its credentials only once. */
export function MerchantForm({ zones, timeZone }: { zones: string[]; timeZone: string }) {
  const t = useTranslations('operator.create');
  const [made, setMade] = useState<Made | null>(null);
  const [failure, setFailure] = useState<ReactNode>(null);
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const ownerEmail = String(fields.get('email'));
    setBusy(true);
    setFailure(null);
    try {
      const answer = await dashboardClient('sandbox').operator.createMerchant.mutate({
        name: String(fields.get('name')),
        ownerEmail,
        timeZone: String(fields.get('zone')),
      });
      setMade(answer);
    } catch (error) {
      setFailure(
        isUnanswered(error) ? (
          <MaybeMade email={ownerEmail} />
        ) : (
          <p className="field-error">{messageOf(error)}</p>
        ),
      );
    }
    setBusy(false);
  };

  if (made) return <Credentials made={made} timeZone={timeZone} again={() => setMade(null)} />;
  return (
    <ScriptForm className="card grid max-w-xl gap-5 p-6" onSubmit={(event) => void submit(event)}>
      <p className="text-muted">{t('lead')}</p>
      <LabelledInput id="merchant-name" label={t('name')} name="name" required maxLength={200} />
      <LabelledInput
        id="merchant-email"
        label={t('email')}
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
      />
      <ZoneField zones={zones} chosen={timeZone} />
      <div role="alert">{failure}</div>
      <BusyButton
        type="submit"
        className="button button-primary justify-self-start"
        isBusy={isBusy}
      >
        {isBusy ? t('busy') : t('submit')}
      </BusyButton>
    </ScriptForm>
  );
}
