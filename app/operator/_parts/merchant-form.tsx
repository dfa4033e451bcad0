'use client';

import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import type { NewMerchantView } from '#server/trpc/rows.ts';
import { isolated } from '../../_i18n/isolated.ts';
import { dashboardClient } from '../../dashboard/_shared/client.ts';
import { CopyButton } from '../../dashboard/_shared/copy-button.tsx';
import { isUnanswered, messageOf } from '../../dashboard/_shared/failure-text.ts';
import { BusyButton } from '../../dashboard/_shared/forms/busy-button.tsx';
import { LabelledInput } from '../../dashboard/_shared/forms/labelled-input.tsx';
import { useNearbyFocus } from '../../dashboard/_shared/forms/use-nearby-focus.ts';
import type { OperatorMessages } from '../_i18n/en.ts';
import type { OperatorView } from '../_i18n/messages.ts';
import { OwnPassword } from './own-password.tsx';

type Made = NewMerchantView;

type SecretProps = { name: string; value: string; of?: string; t: OperatorMessages };

/** @param props.of whose it is, where others have one of that name */
function Secret({ name, value, of, t }: SecretProps) {
  return (
    <div className="py-3">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-3">
        <span className="min-w-0 flex-1 basis-64 break-all font-mono text-sm">{value}</span>
        <CopyButton
          text={value}
          label={t.merchant.copy}
          done={t.merchant.copied}
          of={of ? `${of}, ${name}` : name}
        />
      </dd>
    </div>
  );
}

/** What is shown this once: it takes the focus, for the form that had it is gone. */
function Credentials({ made, view, again }: { made: Made; view: OperatorView; again: () => void }) {
  const { t } = view;
  const words = t.create;
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const focus = useNearbyFocus();
  useEffect(() => section.current?.focus(), []);
  const startAgain = () => {
    focus.begin();
    again();
  };
  const { email, link } = made.owner;
  const title = `${isolated(made.name)} ${words.done}`;
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
        <p id={`${id}-once`}>{words.once}</p>
      </div>
      <section className="card p-5">
        <h2 className="font-semibold">{words.owner}</h2>
        <dl className="divide-y divide-line">
          <Secret name={t.merchant.id} value={made.merchantId} t={t} />
          <Secret name={words.email} value={email} t={t} />
          {link?.url && <Secret name={words.link} value={link.url} t={t} />}
        </dl>
        <OwnPassword link={link} view={view} />
      </section>
      {(['sandbox', 'production'] as const).map((environment) => {
        const { baseUrl, apiToken, webhookSecret } = made[environment];
        const of = t.merchants[environment];
        return (
          <section key={environment} className="card p-5">
            <h2 className="font-semibold">{of}</h2>
            <dl className="divide-y divide-line">
              <Secret name={words.baseUrl} value={baseUrl} of={of} t={t} />
              <Secret name={words.token} value={apiToken} of={of} t={t} />
              <Secret name={words.secret} value={webhookSecret} of={of} t={t} />
            </dl>
          </section>
        );
      })}
      <div className="flex flex-wrap gap-2">
        <a href={`/operator/merchants/${made.merchantId}`} className="button button-primary">
          {words.open}
        </a>
        <button type="button" className="button button-plain" onClick={startAgain}>
          {words.another}
        </button>
      </div>
    </section>
  );
}

/** For when no answer came: the merchant may be there, though its secrets are seen by nobody. */
function MaybeMade({ email, t }: { email: string; t: OperatorMessages }) {
  return (
    <p>
      <span className="field-error">{t.create.lost}</span> {t.create.lostFound}{' '}
      <a href={`/operator/merchants?${new URLSearchParams({ q: email })}`} className="link">
        {t.create.look}
      </a>
    </p>
  );
}

/** @param props.chosen the operator's own zone: their merchants are mostly there */
function ZoneField({ t, zones, chosen }: { t: OperatorMessages; zones: string[]; chosen: string }) {
  return (
    <div>
      <label className="field-label" htmlFor="merchant-zone">
        {t.create.zone}
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
        {t.create.zoneHint}
      </p>
    </div>
  );
}

/** Makes a merchant and shows, this once, what it calls with. */
export function MerchantForm({ zones, ...view }: OperatorView & { zones: string[] }) {
  const { t } = view;
  const words = t.create;
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
          <MaybeMade email={ownerEmail} t={t} />
        ) : (
          <p className="field-error">{messageOf(error)}</p>
        ),
      );
    }
    setBusy(false);
  };

  if (made) return <Credentials made={made} view={view} again={() => setMade(null)} />;
  return (
    <ScriptForm className="card grid max-w-xl gap-5 p-6" onSubmit={(event) => void submit(event)}>
      <p className="text-muted">{words.lead}</p>
      <LabelledInput id="merchant-name" label={words.name} name="name" required maxLength={200} />
      <LabelledInput
        id="merchant-email"
        label={words.email}
        name="email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
      />
      <ZoneField t={t} zones={zones} chosen={view.timeZone} />
      <div role="alert">{failure}</div>
      <BusyButton
        type="submit"
        className="button button-primary justify-self-start"
        isBusy={isBusy}
      >
        {isBusy ? words.busy : words.submit}
      </BusyButton>
    </ScriptForm>
  );
}
