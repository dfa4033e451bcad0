'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'use-intl/react';
import { isolated } from '#app/_i18n/isolated.ts';
import type { WaitingOwnerView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../dashboard/_shared/client.ts';
import { contradictsPage, isUnanswered, messageOf } from '../../dashboard/_shared/failure-text.ts';
import { DialogButtons, TitledDialog } from '../../dashboard/_shared/forms/confirm-dialog.tsx';
import { ShownOnce } from '../../dashboard/_shared/forms/shown-once.tsx';
import { useMadeOnce } from '../../dashboard/_shared/forms/use-made-once.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { showToast } from '../../dashboard/_shared/show-toast.ts';
import { OwnPassword } from './own-password.tsx';

/** Makes another link to set a password, and shows it only once if no e-mail carries it. */
function NewLink({
  merchantId,
  owner,
  timeZone,
}: {
  merchantId: string;
  owner: WaitingOwnerView;
  timeZone: string;
}) {
  const t = useTranslations('operator');
  const router = useRouter();
  const {
    made: link,
    isBusy,
    make,
    ...once
  } = useMadeOnce({
    make: () => {
      const wish = { merchantId, userId: owner.userId };
      return dashboardClient('sandbox').operator.renewOwnerLink.mutate(wish);
    },
    failed: (error) => {
      showToast(isUnanswered(error) ? t('waitingOwners.lost') : messageOf(error), 'negative');
      if (contradictsPage(error)) router.refresh();
    },
  });

  return (
    <TitledDialog
      {...once}
      opener={{
        className: 'button button-plain',
        'aria-label': `${t('waitingOwners.renew')}: ${owner.email}`,
        children: t('waitingOwners.renew'),
      }}
      title={t('waitingOwners.title', { name: isolated(owner.email) })}
      width="max-w-lg"
    >
      {link ? (
        <div className="mt-4">
          {link.url !== null && (
            <ShownOnce
              value={link.url}
              note={t('waitingOwners.once')}
              copy={t('merchant.copy')}
              copied={t('merchant.copied')}
            />
          )}
          <div role="status">
            <OwnPassword link={link} timeZone={timeZone} />
          </div>
          <div className="mt-6 flex justify-end">
            <Dialog.Close className="button button-primary">
              {t('waitingOwners.close')}
            </Dialog.Close>
          </div>
        </div>
      ) : (
        <>
          <p className="mt-2 text-muted">{t('waitingOwners.text')}</p>
          <DialogButtons
            confirm={t('waitingOwners.confirm')}
            back={t('merchant.back')}
            isDisabled={isBusy}
            onConfirm={make}
          />
        </>
      )}
    </TitledDialog>
  );
}

/** The owners who have never signed in, and the expiry of their links. */
export function WaitingOwners({
  merchantId,
  owners,
  timeZone,
}: {
  merchantId: string;
  owners: WaitingOwnerView[];
  timeZone: string;
}) {
  const t = useTranslations('operator');
  const locale = useLocale();
  return (
    <ul className="divide-y divide-line">
      {owners.map((owner) => (
        <li
          key={owner.userId}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5"
        >
          <div className="min-w-0 flex-1 basis-60">
            <p className="[overflow-wrap:anywhere]">{owner.email}</p>
            <p className="text-muted text-sm">
              {owner.linkUntilMs === null ? (
                t('waitingOwners.noLink')
              ) : (
                <>
                  {t('waitingOwners.until')}{' '}
                  <Instant atMs={owner.linkUntilMs} locale={locale} timeZone={timeZone} />.
                </>
              )}
            </p>
          </div>
          <NewLink merchantId={merchantId} owner={owner} timeZone={timeZone} />
        </li>
      ))}
    </ul>
  );
}
