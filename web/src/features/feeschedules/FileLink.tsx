import { getConfig } from '@/api/config';
import { useSession } from '@/api/session';
import { type File, useRefreshFiles } from './queries';

// By then the server has recorded the view.
const refreshDelay = 3_000;

/** Opens a fee schedule by a plain link, which the session cookie authorizes. */
export function FileLink({ file, className }: { file: File; className?: string }) {
  const { user, mirroredUser } = useSession();
  const refresh = useRefreshFiles();
  const names = new URLSearchParams({ usrName: user.userNm, mirrorNm: mirroredUser?.userNm ?? '' });
  return (
    <a
      className={className}
      href={`${getConfig().apiUrl}${file.schedUri}?${names}`}
      target="_blank"
      rel="noopener"
      onClick={() => setTimeout(refresh, refreshDelay)}
      onAuxClick={() => setTimeout(refresh, refreshDelay)}
    >
      {file.fileName}
      <span className="visually-hidden">, opens in a new window</span>
    </a>
  );
}
