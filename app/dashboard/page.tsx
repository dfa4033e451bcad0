import { redirect } from 'next/navigation';

/** Whoever comes without an address in mind begins where nothing can go wrong. */
export default function DashboardPage() {
  redirect('/dashboard/sandbox');
}
