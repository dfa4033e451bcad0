'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { isolated } from '#app/_i18n/isolated.ts';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { isUnanswered, messageOf } from '../../../_shared/failure-text.ts';
import { DialogButtons, TitledDialog } from '../../../_shared/forms/confirm-dialog.tsx';
import { FormField, INPUT } from '../../../_shared/forms/form-field.tsx';
import { ShownOnce } from '../../../_shared/forms/shown-once.tsx';
import { useMadeOnce } from '../../../_shared/forms/use-made-once.ts';
import { showToast } from '../../../_shared/show-toast.ts';

const DEFAULT_HOURS = 24;
const OVERLAPS_HOURS = [0, 1, 24, 168] as const;

/** Makes a token that replaces another, and shows its text only once. */
export function TokenRotation({
  environment,
  tokenId,
  name,
  back,
}: {
  environment: Environment;
  tokenId: string;
  name: string;
  back: string;
}) {
  const t = useTranslations('dashboard.developers');
  const id = useId();
  const [hours, setHours] = useState(DEFAULT_HOURS);
  const {
    made: token,
    isBusy,
    make,
    ...once
  } = useMadeOnce({
    make: async () => {
      const { developers } = dashboardClient(environment);
      return (await developers.rotateToken.mutate({ tokenId, overlapHours: hours })).token;
    },
    failed: (error) => {
      if (isUnanswered(error)) showToast(t('tokenLost'), 'negative', 'reload');
      else showToast(messageOf(error), 'negative');
    },
  });

  return (
    <TitledDialog
      {...once}
      opener={{
        className: 'button button-plain',
        'aria-label': `${t('rotateToken')}: ${name}`,
        children: t('rotateToken'),
      }}
      title={t('rotateTokenTitle', { name: isolated(name) })}
      width="max-w-lg"
    >
      {token ? (
        <div className="mt-4">
          <ShownOnce value={token} note={t('shownOnce')} copy={t('copy')} copied={t('copied')} />
          <div className="mt-6 flex justify-end">
            <Dialog.Close className="button button-primary">{t('close')}</Dialog.Close>
          </div>
        </div>
      ) : (
        <>
          <p className="mt-2 mb-4 text-muted">{t('rotateTokenText')}</p>
          <FormField id={`${id}-overlap`} label={t('overlap')}>
            <select
              id={`${id}-overlap`}
              className={INPUT}
              value={hours}
              onChange={(event) => setHours(Number(event.target.value))}
            >
              {OVERLAPS_HOURS.map((value) => (
                <option key={value} value={value}>
                  {t(`overlaps.${value}`)}
                </option>
              ))}
            </select>
          </FormField>
          <DialogButtons
            confirm={t('rotateToken')}
            back={back}
            isDisabled={isBusy}
            onConfirm={make}
          />
        </>
      )}
    </TitledDialog>
  );
}
