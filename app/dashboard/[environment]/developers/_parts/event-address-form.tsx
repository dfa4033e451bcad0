'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ScriptForm } from '#app/_ui/script-form.tsx';
import {
  PRESET_EVENT_TYPES,
  SENT_EVENT_TYPES,
  type WrittenEventType,
} from '#server/events/types.ts';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { eventTypeWord } from '../../../_shared/event-type-word.ts';
import { BusyButton } from '../../../_shared/forms/busy-button.tsx';
import { CheckedInput } from '../../../_shared/forms/checked-input.tsx';
import { FormField } from '../../../_shared/forms/form-field.tsx';
import { useCall } from '../../../_shared/forms/use-call.ts';
import { showToast } from '../../../_shared/show-toast.ts';

const URL_ID = 'events-url';

function Types({
  chosen,
  onChange,
}: {
  chosen: readonly WrittenEventType[];
  onChange: (chosen: WrittenEventType[]) => void;
}) {
  const t = useTranslations('dashboard.developers.events');
  const words = useTranslations('dashboard.eventTypes');
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-muted text-sm">{t('types')}</legend>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
        {SENT_EVENT_TYPES.map((type) => (
          <li key={type}>
            <label className="inline-flex items-start gap-2 text-[0.9375rem]">
              <input
                type="checkbox"
                className="mt-1 size-4 accent-accent"
                checked={chosen.includes(type)}
                onChange={({ target: { checked } }) =>
                  onChange(
                    SENT_EVENT_TYPES.filter((each) =>
                      each === type ? checked : chosen.includes(each),
                    ),
                  )
                }
              />
              {words(eventTypeWord(type))}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Sets the address for events and which are sent there. */
export function EventAddressForm({
  environment,
  address,
}: {
  environment: Environment;
  /** The present one; null without any. */
  address: { url: string; types: readonly WrittenEventType[] } | null;
}) {
  const t = useTranslations('dashboard.developers.events');
  const router = useRouter();
  const [types, setTypes] = useState(address?.types ?? PRESET_EVENT_TYPES);
  const [isEmpty, setEmpty] = useState(false);
  const { call, isBusy, fault } = useCall();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setEmpty(types.length === 0);
    if (types.length === 0) return;
    void call(async () => {
      const wish = { url: String(fields.get('url')), types: [...types] };
      const { url } = await dashboardClient(environment).events.setAddress.mutate(wish);
      showToast(t('saved', { host: new URL(url).host }));
      router.refresh();
    });
  };

  return (
    <div className="grid grid-cols-1 gap-3">
      <ScriptForm className="grid grid-cols-1 gap-3" onSubmit={submit}>
        <FormField id={URL_ID} label={t('url')}>
          <CheckedInput
            id={URL_ID}
            name="url"
            type="url"
            required
            maxLength={2048}
            defaultValue={address?.url ?? ''}
            placeholder="https://shop.example/events"
          />
        </FormField>
        <Types chosen={types} onChange={setTypes} />
        <BusyButton
          type="submit"
          className="button button-primary button-compact justify-self-start"
          isBusy={isBusy}
        >
          {address ? t('change') : t('set')}
        </BusyButton>
      </ScriptForm>
      <div role="alert">
        {fault && <p className="field-error">{fault}</p>}
        {isEmpty && types.length === 0 && <p className="field-error">{t('needed')}</p>}
      </div>
    </div>
  );
}
