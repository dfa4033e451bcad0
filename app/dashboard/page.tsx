import { redirect } from 'next/navigation';

/** The sandbox is the start for an unspecified address, because nothing can go wrong there. */
export default function DashboardPage() {
  redirect('/dashboard/sandbox');
}
