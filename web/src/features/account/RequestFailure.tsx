import type { Problem } from '@/api/client';
import { getConfig } from '@/api/config';
import { addRetryTime } from '@/shared/apiError';
import { Banner } from '@/ui/Banner';

/** The error of a failed account request, with contact information. */
export function RequestFailure({ problem, attempt }: { problem: Problem; attempt: number }) {
  const { supportEmail } = getConfig();
  return (
    <Banner
      kind="error"
      focusOn={attempt}
      title={addRetryTime('There was an error processing your request. Please try again.', problem)}
    >
      <p>
        If the problem persists, please{' '}
        {supportEmail ? (
          <>
            email <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </>
        ) : (
          'contact support'
        )}
        .
      </p>
    </Banner>
  );
}
