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
# The model of a prediction that was taken back: its row is empty and stays, because somebody may have it open
WITHDRAWN = "withdrawn"
OF_A_PROJECT = {"model_version": "", "total_predictions_number": 0}


def are_shown(project_id: int) -> bool:
    return Project.objects.filter(pk=project_id, show_collab_predictions=True).exists()


def kept_predictions(task: dict) -> list:
    """The predictions of a task without those that were taken back."""
    return [each for each in task.get("predictions") or [] if each.get("model_version") != WITHDRAWN]
