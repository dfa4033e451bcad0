import { redirect } from 'next/navigation';

/** The operator begins with how the gateway is. */
export default function OperatorPage() {
  redirect('/operator/overview');
}
