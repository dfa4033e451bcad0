'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { LOCALE_NAMES } from '#app/_i18n/locales.ts';
import { parseHex } from '#app/_ui/contrast.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { SettingsView } from '#server/trpc/rows.ts';
import type { DashboardLocale } from '../_i18n/messages.ts';
import type { SettingsMessages } from '../_i18n/settings-en.ts';
import { BrandPreview } from './brand-preview.tsx';
import { dashboardClient } from './client.ts';
import { FormField, INPUT } from './form-field.tsx';
import { LogoField } from './logo-field.tsx';
import { showToast } from './show-toast.ts';

const HOUSE_COLOR = '#2b4bd0';

type Props = {
  environment: Environment;
  t: SettingsMessages;
  settings: SettingsView;
  zones: string[];
  locale: DashboardLocale;
};

function ColorField({
  t,
  value,
  onChange,
}: {
  t: SettingsMessages;
  value: string;
  onChange: (value: string) => void;
}) {
  const isWrong = value !== '' && !/^#[0-9a-f]{6}$/i.test(value);
  return (
    <FormField id="color" label={t.color} hint={isWrong ? t.colorWrong : t.colorHint}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={t.colorPick}
          value={isWrong || value === '' ? HOUSE_COLOR : value.toLowerCase()}
          onChange={(event) => onChange(event.target.value)}
          className="h-10 w-12 shrink-0 rounded-lg border border-control bg-surface p-1"
        />
        <input
          id="color"
          value={value}
          onChange={(event) => onChange(event.target.value.trim())}
          placeholder={HOUSE_COLOR}
          maxLength={7}
          pattern="#[0-9a-fA-F]{6}"
          title={t.colorWrong}
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby="color-hint"
          className={INPUT}
        />
      </div>
    </FormField>
  );
}

function Choices({ t, settings, zones }: Pick<Props, 't' | 'settings' | 'zones'>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField id="locale" label={t.locale} hint={t.localeHint}>
        <select
          id="locale"
          name="locale"
          defaultValue={settings.defaultLocale}
          aria-describedby="locale-hint"
          className={INPUT}
        >
          {Object.entries(LOCALE_NAMES).map(([value, text]) => (
            <option key={value} value={value} lang={value}>
              {text}
            </option>
          ))}
        </select>
      </FormField>
      <FormField id="zone" label={t.zone} hint={t.zoneHint}>
        <select
          id="zone"
          name="zone"
          defaultValue={settings.timeZone}
          aria-describedby="zone-hint"
          className={INPUT}
        >
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      </FormField>
    </div>
  );
}

/** The merchant's settings with a live preview of what buyers see. */
export function SettingsForm({ environment, t, settings, zones, locale }: Props) {
  const router = useRouter();
  const [name, setName] = useState(settings.name);
  const [color, setColor] = useState(settings.brandColor ?? '');
  const [seenVersion, setSeenVersion] = useState(settings.version);
  const [isBusy, setBusy] = useState(false);
  // What was saved is shown anew, not mixed with what stands in the fields. The form itself stays,
  // or a picture that is chosen at that moment would be lost with it.
  if (settings.version !== seenVersion) {
    setSeenVersion(settings.version);
    setName(settings.name);
    setColor(settings.brandColor ?? '');
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    try {
      await dashboardClient(environment).settings.save.mutate({
        version: settings.version,
        name,
        brandColor: color === '' ? null : color,
        defaultLocale: String(fields.get('locale')) as SettingsView['defaultLocale'],
        timeZone: String(fields.get('zone')),
      });
      showToast(t.saved);
      router.refresh();
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), 'negative');
    }
    setBusy(false);
  };

  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form className="card p-5" onSubmit={(event) => void submit(event)}>
        <fieldset className="grid gap-5">
          <legend className="mb-4 font-semibold">{t.page}</legend>
          <FormField id="name" label={t.name} hint={t.nameHint}>
            <input
              id="name"
              required
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
              aria-describedby="name-hint"
              className={INPUT}
            />
          </FormField>
          <LogoField environment={environment} t={t} logoUrl={settings.logoUrl} />
          <ColorField t={t} value={color} onChange={setColor} />
          <Choices key={settings.version} t={t} settings={settings} zones={zones} />
          <div>
            <button type="submit" className="button button-primary" disabled={isBusy}>
              {t.save}
            </button>
          </div>
        </fieldset>
      </form>
      <BrandPreview
        t={t}
        locale={locale}
        name={name}
        logoUrl={settings.logoUrl}
        color={parseHex(color) ? color : null}
      />
    </div>
  );
}
