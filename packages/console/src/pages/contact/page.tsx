import { getRouteApi } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { ContactView } from "./ContactView.tsx";

const route = getRouteApi("/app/workspace/contacts/$id");

/** One person on a page of its own. */
export function ContactPage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  return (
    <ContactView
      id={id}
      search={route.useSearch()}
      linkTo={(search) => paths.contact(id, search)}
      onGone={() => navigate(paths.contacts())}
    />
  );
}
