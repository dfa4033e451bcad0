import { redirect } from 'next/navigation';

/** The operator's first page is the gateway's health. */
export default function OperatorPage() {
  redirect('/operator/overview');
}
