import { redirect } from 'next/navigation';
import { currentAccount, dashboardSession } from './_server/api.ts';

/**
 * Leads to the sandbox, where nothing can go wrong; a cashier to where buyers pay, as soon as they
 * can.
 */
export default async function DashboardPage() {
  const { session } = await dashboardSession('production');
  if (session.merchant) {
    const { permissions, takesPayments } = await currentAccount('production');
    if (takesPayments && !permissions.includes('business.read')) {
      redirect('/dashboard/production/invoices/new');
    }
  }
  redirect('/dashboard/sandbox');
}
