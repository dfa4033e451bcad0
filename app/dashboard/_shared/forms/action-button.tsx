'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useRef, useTransition } from 'react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../client.ts';
import { contradictsPage, messageOf } from '../failure-text.ts';
import { showToast } from '../show-toast.ts';
import { BusyButton } from './busy-button.tsx';
import { ConfirmDialog, useDialog } from './confirm-dialog.tsx';
import { haveStayed, mayLeave } from './unsaved.ts';
import { useNearbyFocus } from './use-nearby-focus.ts';

type Client = ReturnType<typeof dashboardClient>;

/** The effect of a press; each stands for one procedure, so that a server page can name it. */
export type Action =
  | { does: 'endSession'; sessionId: string }
  | { does: 'endOtherSessions' }
  | { does: 'switchMerchant'; merchantId: string }
  | { does: 'cancelInvoice'; invoiceId: string }
  | { does: 'switchLink'; linkId: string; isOn: boolean }
  | { does: 'resendCallback'; named: string }
  | { does: 'removeEventAddress' }
  | { does: 'emailRegister'; isOn: boolean }
  | { does: 'acknowledge'; seen: { cause: string; count: number; newestAtMs: number | null } }
  | { does: 'unacknowledge'; cause: string }
  | { does: 'dismissChecklist' }
  | { does: 'deactivateToken'; tokenId: string }
  | { does: 'changeAcquirer'; accountId: string; change: 'enable' | 'disable' | 'disconnect' }
  | { does: 'setMerchantStatus'; merchantId: string; status: 'active' | 'suspended' }
  | { does: 'actFor'; merchantId: string }
  | { does: 'endImpersonation' };

function run(client: Client, action: Action): Promise<unknown> {
  switch (action.does) {
    case 'endSession':
      return client.account.endSession.mutate({ sessionId: action.sessionId });
    case 'endOtherSessions':
      return client.account.endOtherSessions.mutate();
    case 'switchMerchant':
      return client.account.switchMerchant.mutate({ merchantId: action.merchantId });
    case 'cancelInvoice':
      return client.invoices.cancel.mutate({ invoiceId: action.invoiceId });
    case 'switchLink':
      return client.links.switch.mutate({ linkId: action.linkId, isOn: action.isOn });
    case 'resendCallback':
      return client.callbacks.resend.mutate({ named: action.named });
    case 'removeEventAddress':
      return client.events.removeAddress.mutate();
    case 'emailRegister':
      return client.register.email.mutate({ isOn: action.isOn });
    case 'acknowledge':
      return client.overview.acknowledge.mutate(action.seen);
    case 'unacknowledge':
      return client.overview.unacknowledge.mutate({ cause: action.cause });
    case 'dismissChecklist':
      return client.overview.dismissChecklist.mutate();
    case 'deactivateToken':
      return client.developers.deactivateToken.mutate({ tokenId: action.tokenId });
    case 'changeAcquirer':
      return client.acquirers[action.change].mutate({ accountId: action.accountId });
    case 'setMerchantStatus':
      return client.operator.setStatus.mutate({
        merchantId: action.merchantId,
        status: action.status,
      });
    case 'actFor':
      return client.operator.act.mutate({ merchantId: action.merchantId });
    case 'endImpersonation':
      return client.operator.endAct.mutate();
  }
}

/** Says in advance what will happen: for actions that cannot be undone. */
export type Confirmation = {
  title: string;
  text: string;
  confirm: string;
  back: string;
  /** Whether the action ends something: the dialog then looks like it. */
  isDestructive?: boolean;
};

/**
 * A button that carries out an action and refreshes the page. A toast tells success and failure.
 *
 * @param done the words for success; none where the page itself says it
 * @param goTo the next page, in place of this one
 */
export function ActionButton({
  environment,
  action,
  label,
  accessibleLabel,
  confirmation,
  done,
  goTo,
  className = confirmation?.isDestructive ? 'button button-danger' : 'button button-plain',
}: {
  environment: Environment;
  action: Action;
  label: ReactNode;
  accessibleLabel?: string;
  confirmation?: Confirmation;
  done?: string;
  goTo?: string;
  className?: string;
}) {
  const router = useRouter();
  const [isBusy, startWork] = useTransition();
  const button = useRef<HTMLButtonElement>(null);
  const dialog = useDialog();
  const focus = useNearbyFocus();

  const work = () => {
    if (goTo && !mayLeave()) return;
    focus.begin();
    startWork(async () => {
      try {
        await run(dashboardClient(environment), action);
        if (done) showToast(done);
        if (goTo) router.push(goTo);
        router.refresh();
      } catch (error) {
        // The page would otherwise still show what was just denied.
        if (contradictsPage(error)) router.refresh();
        else focus.forget();
        haveStayed();
        showToast(messageOf(error), 'negative');
      }
      dialog.close();
      // A menu around it returns the focus to the button that opened it.
      button.current?.closest<HTMLElement>('[popover]')?.hidePopover();
    });
  };

  const look = { className, 'aria-label': accessibleLabel, children: label };
  if (!confirmation) return <BusyButton {...look} ref={button} isBusy={isBusy} onClick={work} />;
  const { text, ...words } = confirmation;
  return (
    <ConfirmDialog {...words} dialog={dialog} opener={look} isBusy={isBusy} onConfirm={work}>
      {text}
    </ConfirmDialog>
  );
}
