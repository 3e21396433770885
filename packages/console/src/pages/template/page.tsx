import { getRouteApi } from "@tanstack/react-router";
import { paths } from "../../paths.ts";
import { TemplateView } from "./TemplateView.tsx";

const route = getRouteApi("/app/workspace/templates/$id");

/** One template on a page of its own. */
export function TemplatePage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  return <TemplateView id={id} onGone={() => navigate(paths.templates())} />;
}
