import { redirect } from 'next/navigation';

export default async function EnvironmentPage({
  params,
}: {
  params: Promise<{ environment: string }>;
}) {
  redirect(`/dashboard/${encodeURIComponent((await params).environment)}/invoices`);
}
