'use client';

import { Dialog } from '@base-ui/react/dialog';
import { useRouter } from 'next/navigation';
import type { WaitingOwnerView } from '#server/trpc/rows.ts';
import { dashboardClient } from '../../dashboard/_shared/client.ts';
import { contradictsPage, isUnanswered, messageOf } from '../../dashboard/_shared/failure-text.ts';
import { DialogButtons, TitledDialog } from '../../dashboard/_shared/forms/confirm-dialog.tsx';
import { filled } from '../../dashboard/_shared/forms/question-text.ts';
import { ShownOnce } from '../../dashboard/_shared/forms/shown-once.tsx';
import { useMadeOnce } from '../../dashboard/_shared/forms/use-made-once.ts';
import { Instant } from '../../dashboard/_shared/instant.tsx';
import { showToast } from '../../dashboard/_shared/show-toast.ts';
import type { OperatorView } from '../_i18n/messages.ts';
import { OwnPassword } from './own-password.tsx';

/** Makes another link to set a password, and shows it, this once, where no e-mail carries it. */
function NewLink({
  merchantId,
  owner,
  view,
}: {
  merchantId: string;
  owner: WaitingOwnerView;
  view: OperatorView;
}) {
  const { t } = view;
  const words = t.waitingOwners;
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
      showToast(isUnanswered(error) ? words.lost : messageOf(error), 'negative');
      if (contradictsPage(error)) router.refresh();
    },
  });

  return (
    <TitledDialog
      {...once}
      opener={{
        className: 'button button-plain',
        'aria-label': `${words.renew}: ${owner.email}`,
        children: words.renew,
      }}
      title={filled(words.title, { name: owner.email })}
      width="max-w-lg"
    >
      {link ? (
        <div className="mt-4">
          {link.url !== null && (
            <ShownOnce
              value={link.url}
              note={words.once}
              copy={t.merchant.copy}
              copied={t.merchant.copied}
            />
          )}
          <div role="status">
            <OwnPassword link={link} view={view} />
          </div>
          <div className="mt-6 flex justify-end">
            <Dialog.Close className="button button-primary">{words.close}</Dialog.Close>
          </div>
        </div>
      ) : (
        <>
          <p className="mt-2 text-muted">{words.text}</p>
          <DialogButtons
            confirm={words.confirm}
            back={t.merchant.back}
            isDisabled={isBusy}
            onConfirm={make}
          />
        </>
      )}
    </TitledDialog>
  );
}

/** Who owns the merchant and has never come in, and until when they can by their link. */
export function WaitingOwners({
  merchantId,
  owners,
  view,
}: {
  merchantId: string;
  owners: WaitingOwnerView[];
  view: OperatorView;
}) {
  const { t, locale, timeZone } = view;
  const words = t.waitingOwners;
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
                words.noLink
              ) : (
                <>
                  {words.until}{' '}
                  <Instant atMs={owner.linkUntilMs} locale={locale} timeZone={timeZone} />.
                </>
              )}
            </p>
          </div>
          <NewLink merchantId={merchantId} owner={owner} view={view} />
        </li>
      ))}
    </ul>
  );
}
