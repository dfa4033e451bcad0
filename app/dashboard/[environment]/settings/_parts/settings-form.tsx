'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useLayoutEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { parseHex } from '#app/_ui/contrast.ts';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import { LOCALES, type Locale, propertiesOf } from '#server/lib/locales.ts';
import { foldTyped } from '#server/lib/typed-text.ts';
import { type Environment, SELLER_FIELDS, type SellerDetails } from '#server/merchants/types.ts';
import type { SettingsView } from '#server/trpc/rows.ts';
import { BrandPreview, HOUSE } from '../../../_shared/brand-preview.tsx';
import { dashboardClient } from '../../../_shared/client.ts';
import { messageOf, refusedFor } from '../../../_shared/failure-text.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { useUnsaved } from '../../../_shared/forms/unsaved.ts';
import { useFaultFocus } from '../../../_shared/forms/use-fault-focus.ts';
import { showToast } from '../../../_shared/show-toast.ts';
import { LogoField } from './logo-field.tsx';
import { type SellerFault, SellerFields, sellerFault } from './seller-fields.tsx';
import {
  afterSave,
  draftOf,
  type SettingsFields,
  shownIn,
  typedOver,
  withNewer,
} from './settings-draft.ts';

const HOUSE_COLOR = HOUSE.light.background;

type Props = { environment: Environment; settings: SettingsView; zones: string[]; locale: Locale };

function ColorField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations('dashboard.settings');
  const isWrong = value !== '' && !/^#[0-9a-f]{6}$/i.test(value);
  return (
    <FormField id="color" label={t('color')} hint={isWrong ? t('colorWrong') : t('colorHint')}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={t('colorPick')}
          value={isWrong || value === '' ? HOUSE_COLOR : value.toLowerCase()}
          onChange={(event) => onChange(event.target.value)}
          className="h-10 w-12 shrink-0 rounded-lg border border-control bg-surface p-1"
        />
        <input
          id="color"
          name="color"
          value={value}
          onChange={(event) => onChange(foldTyped(event.target.value))}
          placeholder={HOUSE_COLOR}
          maxLength={7}
          pattern="#[0-9a-fA-F]{6}"
          title={t('colorWrong')}
          spellCheck={false}
          aria-invalid={isWrong}
          // The hint already says it.
          onInvalid={(event) => {
            event.preventDefault();
            event.currentTarget.focus();
          }}
          aria-describedby="color-hint"
          className={INPUT}
        />
      </div>
    </FormField>
  );
}

function Choices({
  zones,
  shown,
  onChange,
}: Pick<Props, 'zones'> & {
  shown: SettingsFields;
  onChange: (part: Partial<SettingsFields>) => void;
}) {
  const t = useTranslations('dashboard.settings');
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <FormField id="locale" label={t('locale')} hint={t('localeHint')}>
        <select
          id="locale"
          name="locale"
          value={shown.defaultLocale}
          onChange={(event) => onChange({ defaultLocale: event.target.value as Locale })}
          aria-describedby="locale-hint"
          className={INPUT}
        >
          {LOCALES.map((value) => (
            <option key={value} value={value} lang={value}>
              {propertiesOf(value).name}
            </option>
          ))}
        </select>
      </FormField>
      <FormField id="zone" label={t('zone')} hint={t('zoneHint')}>
        <select
          id="zone"
          name="zone"
          value={shown.timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
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

/** Reads the fields, because React does not know what was typed before the script loaded. */
function standingIn(form: HTMLFormElement): SettingsFields {
  const textOf = (name: string): string => String(new FormData(form).get(name) ?? '');
  const seller = Object.fromEntries(SELLER_FIELDS.map((each) => [each, textOf(each) || null]));
  return {
    ...(seller as SellerDetails),
    name: textOf('name'),
    brandColor: textOf('color') || null,
    defaultLocale: textOf('locale') as Locale,
    timeZone: textOf('zone'),
  };
}

/** The draft of the settings; somebody else's changes arrive with the page's refresh. */
function useSettingsDraft(settings: SettingsView, fault: SellerFault | null) {
  const form = useFaultFocus(fault?.text ?? null);
  const [draft, setDraft] = useState(() => draftOf(settings));
  if (settings.version > draft.seen.version) setDraft(withNewer(draft, settings));
  // The draft is read before anything is sent: Save may have been pressed before the script loaded.
  useLayoutEffect(() => {
    const { current } = form;
    if (current) setDraft((begun) => typedOver(begun, standingIn(current)));
  }, [form]);
  return { form, draft, setDraft };
}

/** The merchant's settings with a live preview of what buyers see. */
export function SettingsForm({ environment, settings, zones, locale }: Props) {
  const t = useTranslations('dashboard.settings');
  const router = useRouter();
  const [fault, setFault] = useState<SellerFault | null>(null);
  const { form, draft, setDraft } = useSettingsDraft(settings, fault);
  const [isBusy, setBusy] = useState(false);
  useUnsaved(Object.keys(draft.typed).length > 0 ? t('unsaved') : null);
  const shown = shownIn(draft);
  const { name } = shown;
  const color = shown.brandColor ?? '';
  const change = (part: Partial<SettingsFields>) => {
    setDraft((begun) => typedOver(begun, part));
    if (fault && fault.field in part) setFault(null);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      const saved = await dashboardClient(environment).settings.save.mutate({
        version: draft.version,
        ...shown,
      });
      // An older web process answers with nothing; the refreshed page brings the rest.
      if (saved) setDraft((typedOn) => afterSave(typedOn, shown, saved));
      showToast(t('saved'));
      router.refresh();
    } catch (error) {
      const refused = sellerFault(refusedFor(error), messageOf(error));
      setFault(refused);
      if (!refused) showToast(messageOf(error), 'negative');
    }
    setBusy(false);
  };

  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <ScriptForm
        ref={form}
        className="grid min-w-0 grid-cols-1 gap-5"
        onSubmit={(event) => void submit(event)}
      >
        <div className="card p-5">
          <fieldset className="grid min-w-0 grid-cols-1 gap-5">
            <legend className="mb-4 font-semibold">{t('page')}</legend>
            <FormField id="name" label={t('name')} hint={t('nameHint')}>
              <CheckedInput
                id="name"
                name="name"
                required
                maxLength={200}
                value={name}
                onChange={(event) => change({ name: event.target.value })}
                aria-describedby="name-hint"
              />
            </FormField>
            <LogoField environment={environment} logoUrl={settings.logoUrl} />
            <ColorField value={color} onChange={(value) => change({ brandColor: value || null })} />
            <Choices zones={zones} shown={shown} onChange={change} />
          </fieldset>
        </div>
        <div className="card p-5">
          <fieldset className="min-w-0">
            <legend className="font-semibold">{t('seller.title')}</legend>
            <p className="mt-1 mb-5 text-muted text-sm">{t('seller.text')}</p>
            <SellerFields shown={shown} fault={fault} onChange={change} />
          </fieldset>
        </div>
        <div>
          <BusyButton type="submit" className="button button-primary" isBusy={isBusy}>
            {t('save')}
          </BusyButton>
        </div>
      </ScriptForm>
      <BrandPreview
        locale={locale}
        name={name}
        logoUrl={settings.logoUrl}
        color={parseHex(color) ? color : null}
      />
    </div>
  );
}
