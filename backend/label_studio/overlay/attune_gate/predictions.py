"""Whether a project's annotators may see what a model thinks, and what is left of an answer if not."""

from projects.models import Project

# Whatever a model has to do with, in a task or in the page that lists tasks, and in a project
OF_A_TASK = {
    "predictions": [],
    "total_predictions": 0,
    "predictions_results": "",
    "predictions_score": None,
    "predictions_model_versions": "",
}
OF_A_PROJECT = {"model_version": "", "total_predictions_number": 0}


def are_shown(project_id: int) -> bool:
    return Project.objects.filter(pk=project_id, show_collab_predictions=True).exists()
